// A search for settings, from the command line to the model it leaves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "apps/tiny_project.h"

namespace hmtc {
namespace {

using testing::HasSubstr;
using testing::Not;

class Tune : public testing::Test {
 protected:
  Arguments arguments(const Arguments& more = {}, const std::string& minutes = "5") {
    Arguments all = {
        "tune", "--data", project_.data(),  "--out", project_.path("out"),        "--model",
        "flat", "--set",  "train.epochs=2", "--set", "encoder.embedding_width=6", "--minutes",
        minutes};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::string out(const std::string& name) const {
    return content_of(project_.path("out/" + name));
  }

  /// The rows of trials.md.
  std::vector<std::string> trials() const {
    std::vector<std::string> rows;
    for (std::string line : lines_of(out("trials.md"))) {
      std::erase(line, '\\');  // Markdown's
      if (line.starts_with("| 0.")) rows.push_back(line);
    }
    return rows;
  }

  TinyProject project_;
};

TEST_F(Tune, LeavesAModelItsSettingsAndATableOfTheTrials) {
  std::filesystem::remove(project_.path("data/test.jsonl"));  // test is not read
  const ProcessResult result = hmtc_program(arguments({"--trials", "3"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("3 of 3"));
  EXPECT_THAT(out("trials.md"), HasSubstr("encoder.dropout="));
  // The model and its settings are those of the first row, the best of all.
  const std::vector<std::string> rows = trials();
  ASSERT_THAT(rows, testing::SizeIs(3));
  const std::string& best = rows.front();
  EXPECT_EQ(best.substr(0, 8), std::max_element(rows.begin(), rows.end())->substr(0, 8));
  const ProcessResult evaluation = hmtc_program({"evaluate", project_.path("out/model"), "--json",
                                                 "--data", project_.path("data/val.jsonl")});
  ASSERT_EQ(evaluation.exit_code, 0);
  const auto scores = nlohmann::json::parse(evaluation.out);
  EXPECT_NEAR(scores["combined"]["au_prc"]["micro"].get<double>(), std::stod(best.substr(2, 6)),
              5e-5);
  std::istringstream settings(out("best.conf"));
  for (std::string line; std::getline(settings, line);) {
    if (line.starts_with("#")) continue;
    EXPECT_THAT(best, HasSubstr(line.replace(line.find(" = "), 3, "=")));
  }
  EXPECT_THAT(out("best.conf"), HasSubstr("train.epochs = 2"));
  const ProcessResult again =
      hmtc_program({"train", "--data", project_.data(), "--out", project_.path("again"), "--model",
                    "flat", "--config", project_.path("out/best.conf")});
  EXPECT_EQ(again.exit_code, 0) << again.err;
}

TEST_F(Tune, WithoutAValidationSplitItIsRefusedWithARemedyThatHelps) {
  std::filesystem::remove(project_.path("data/val.jsonl"));
  const ProcessResult result = hmtc_program(arguments({"--trials", "1"}));
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("val.jsonl"));
  EXPECT_THAT(result.err, HasSubstr("hmtc import --split"));
  EXPECT_THAT(result.err, Not(HasSubstr("seed_decides_split")));  // which no option sets
}

TEST_F(Tune, WhatCanNotBeReadIsToldBeforeAnythingIsWritten) {
  const auto refused = [&](Arguments call, int exit_code, const std::string& what) {
    const ProcessResult result = hmtc_program(call);
    EXPECT_EQ(result.exit_code, exit_code);
    EXPECT_THAT(result.err, HasSubstr(what));
    EXPECT_THAT(result.err, Not(HasSubstr("trial")));
    EXPECT_FALSE(std::filesystem::exists(project_.path("out")));
  };
  refused({"tune", "--data", project_.path("nowhere"), "--out", project_.path("out")}, 4,
          "expected a data directory");
  std::filesystem::create_directory(project_.path("empty"));
  refused({"tune", "--data", project_.path("empty"), "--out", project_.path("out")}, 4,
          "expected a train.jsonl");
  refused(arguments({"--embeddings", project_.path("nothing.txt")}), 4, "nothing.txt");
  refused(arguments({"--set", "model.rarity=true"}), 2, "hmtc: model.rarity");
}

TEST_F(Tune, ADataDirectoryIsNoFolderForItsResults) {
  const ProcessResult result =
      hmtc_program({"tune", "--data", project_.data(), "--out", project_.data()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("found a data directory"));
  EXPECT_FALSE(std::filesystem::exists(project_.path("data/search")));
}

TEST_F(Tune, DataThatAreAtFaultEndItAtTheirFirstTrial) {
  std::ofstream(project_.path("data/train.jsonl"), std::ios::app) << "no JSON\n";
  const ProcessResult result = hmtc_program(arguments({"--trials", "50", "--threads", "256"}));
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("flat.trial0"));
  EXPECT_THAT(result.err, Not(HasSubstr("flat.trial1")));
}

TEST_F(Tune, ABestModelThatWasDeletedIsTrainedAgainByTheLineOfBestConf) {
  ASSERT_EQ(hmtc_program(arguments({"--trials", "2"})).exit_code, 0);
  const std::string model = out("model/model.safetensors");
  const std::string settings = out("best.conf");
  const std::string table = out("trials.md");
  std::filesystem::remove_all(project_.path("out/model"));
  std::filesystem::remove(project_.path("out/best.conf"));
  const ProcessResult result = hmtc_program(arguments({"--trials", "2"}));
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("out/model is missing; the first line of"));
  EXPECT_THAT(result.err, Not(HasSubstr("no trial was done")));
  EXPECT_EQ(out("best.conf"), settings);
  EXPECT_EQ(out("trials.md"), table);
  const std::string line = lines_of(settings).front();
  const std::string command = line.substr(line.find("hmtc train") + 5);
  Arguments words;
  std::istringstream in(command);
  for (std::string word; in >> word;) words.push_back(word);
  ASSERT_EQ(hmtc_program(words).exit_code, 0) << command;
  EXPECT_EQ(out("model/model.safetensors"), model);
}

TEST_F(Tune, CalledAgainItGoesOnWithFurtherTrials) {
  ASSERT_EQ(hmtc_program(arguments({"--trials", "2"})).exit_code, 0);
  const ProcessResult result = hmtc_program(arguments({"--trials", "4"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("3 of 4"));
  EXPECT_THAT(result.err, Not(HasSubstr("2 of 4  flat")));
}

TEST_F(Tune, WhatRunsWhenTheTimeIsUpIsSaved) {
  // Hours of epochs, and twelve seconds for them.
  const Arguments call = {"tune",
                          "--data",
                          project_.data(),
                          "--out",
                          project_.path("out"),
                          "--model",
                          "flat",
                          "--set",
                          "train.epochs=100000",
                          "--set",
                          "train.patience=1000000",
                          "--set",
                          "encoder.embedding_width=6",
                          "--trials",
                          "1",
                          "--minutes",
                          "0.2"};
  const ProcessResult first = hmtc_program(call);
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.err, HasSubstr("no trial was done in the time given"));
  EXPECT_TRUE(std::filesystem::exists(
      project_.path("out/runs/flat.trial0.seed0/model/run/checkpoint.safetensors")));
  EXPECT_FALSE(std::filesystem::exists(project_.path("out/best.conf")));
  EXPECT_THAT(out("runs/flat.trial0.seed0/run.json"), HasSubstr("--data DATA "));
  // Called again it goes on from there.
  EXPECT_EQ(hmtc_program(call).exit_code, 0);
  EXPECT_THAT(out("runs/flat.trial0.seed0/log.txt"), HasSubstr("resumed:"));
}

TEST_F(Tune, TheTimeThatIsUpIsToldOfWhenSomeTrialsAreDone) {
  ASSERT_EQ(hmtc_program(arguments({"--trials", "1"})).exit_code, 0);
  const ProcessResult result = hmtc_program(arguments({"--trials", "2"}, "0.0000001"));
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("the time is up"));
  EXPECT_THAT(result.out, HasSubstr("best.conf"));
}

TEST_F(Tune, ATrialThatFailsDoesNotEndTheSearch) {
  // The capsule network has a loss of its own, and refuses another in every trial.
  const ProcessResult result =
      hmtc_program({"tune", "--data", project_.data(), "--out", project_.path("out"), "--model",
                    "capsule", "--set", "train.loss=focal", "--trials", "4"});
  EXPECT_EQ(result.exit_code, 2);
  for (int trial = 0; trial < 4; ++trial) {
    EXPECT_THAT(result.err, HasSubstr("failed: capsule.trial" + std::to_string(trial)));
  }
}

TEST_F(Tune, WhatHasAnOptionOfItsOwnIsNoSetting) {
  const ProcessResult result = hmtc_program(arguments({"--set", "train.seed=5"}));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--seed"));
}

TEST_F(Tune, TrialsOfAnotherSearchAreLeftAlone) {
  ASSERT_EQ(hmtc_program(arguments({"--trials", "1"})).exit_code, 0);
  const std::string before = out("trials.md");
  const ProcessResult result = hmtc_program(arguments({"--trials", "2", "--seed", "5"}));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("of flat with seed 0"));
  EXPECT_EQ(out("trials.md"), before);
}

TEST_F(Tune, AMistypedSettingShowsBeforeTheFirstTrial) {
  const ProcessResult result = hmtc_program(arguments({"--set", "encoder.dropuot=0.1"}));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("did you mean encoder.dropout"));
}

}  // namespace
}  // namespace hmtc
