// What an experiment does not take, and runs that fail.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <unistd.h>

#include <fstream>

#include "apps/tiny_experiment.h"

namespace hmtc {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

using ExperimentRefusal = TinyExperiment;

TEST_F(ExperimentRefusal, OneProcessAtATimeWritesToAFolder) {
  fs::create_directories(project_.path("out"));
  const int other = ::open(project_.path("out/lock").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  ASSERT_EQ(::flock(other, LOCK_EX), 0);
  const ProcessResult result = hmtc_program(arguments());
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("another process"));
  ::close(other);
  EXPECT_EQ(hmtc_program(arguments()).exit_code, 0);
}

TEST_F(ExperimentRefusal, ARunThatFailsDoesNotKeepTheOthersFromRunning) {
  const std::string path = project_.path("failing.json");
  std::ofstream(path) << R"({
      "title": "failing",
      "data": {"description": "a few documents", "directory": "{data}"},
      "seeds": [0, 1],
      "settings": {"encoder.kind": "embedding", "encoder.embedding_width": 6, "train.epochs": 2},
      "rows": [
        {"name": "refused", "model": "capsule", "settings": {"train.loss": "focal"}},
        {"name": "pupil", "model": "flat", "teacher": "refused"},
        {"name": "flat", "model": "flat"},
        {"name": "linear", "model": "linear"}
      ]
    })";
  const ProcessResult result =
      hmtc_program({"experiment", path, "--data", project_.data(), "--out", project_.path("out")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("failed: refused.seed0"));
  EXPECT_TRUE(fs::exists(project_.path("out/results/flat.seed1.json")));
  EXPECT_TRUE(fs::exists(project_.path("out/results/linear.seed1.json")));
  EXPECT_FALSE(fs::exists(project_.path("out/results/pupil.seed0.json")));
}

TEST_F(ExperimentRefusal, AFailureThatConcernsAllRunsIsTheOneThatIsTold) {
  const std::string path = project_.path("failing.json");
  std::ofstream(path) << R"({
      "title": "failing",
      "data": {"description": "a few documents", "directory": "{data}"},
      "seeds": [0],
      "settings": {"encoder.kind": "embedding", "encoder.embedding_width": 6, "train.epochs": 2},
      "rows": [
        {"name": "refused", "model": "capsule", "settings": {"train.loss": "focal"}},
        {"name": "flat", "model": "flat"},
        {"name": "linear", "model": "linear"}
      ]
    })";
  const Arguments run = {"experiment",         path,           "--data", project_.data(), "--out",
                         project_.path("out"), "--keep-models"};
  ASSERT_EQ(hmtc_program(run).exit_code, 2);
  // The network has to be trained again, and its log cannot be written.
  fs::remove(project_.path("out/results/flat.seed0.json"));
  fs::remove_all(project_.path("out/runs/flat.seed0/model"));
  fs::remove(project_.path("out/runs/flat.seed0/log.txt"));
  fs::create_directory(project_.path("out/runs/flat.seed0/log.txt"));
  const ProcessResult result = hmtc_program(run);
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.err, HasSubstr("log.txt"));
}

TEST_F(ExperimentRefusal, OtherSettingsAreRefused) {
  ASSERT_EQ(hmtc_program(arguments()).exit_code, 0);
  const Arguments again = {"experiment",    plan("3"), "--data",
                           project_.data(), "--out",   project_.path("out")};
  const ProcessResult result = hmtc_program(again);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("with other settings"));
}

TEST_F(ExperimentRefusal, OtherDataAreRefused) {
  ASSERT_EQ(hmtc_program(arguments()).exit_code, 0);
  const std::string fewer = plan("2", R"("directory": "{data}", "train_documents": 3)");
  const ProcessResult result =
      hmtc_program({"experiment", fewer, "--data", project_.data(), "--out", project_.path("out")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("from other data"));
  EXPECT_THAT(result.err, HasSubstr("first 3 training documents"));
}

TEST_F(ExperimentRefusal, OtherDocumentsUnderTheSameNameAreRefused) {
  ASSERT_EQ(hmtc_program(arguments()).exit_code, 0);
  const std::string file = project_.path("data/val.jsonl");
  std::ofstream(file, std::ios::app) << R"({"text": "one more", "labels": []})"
                                     << "\n";
  const ProcessResult result = hmtc_program(arguments());
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("was made from other data"));
}

TEST_F(ExperimentRefusal, ARowThatCannotHaveASettingOfAllIsNamed) {
  const std::string path = project_.path("members.json");
  std::ofstream(path) << R"({
      "title": "members",
      "data": {"description": "a few documents", "directory": "{data}"},
      "seeds": [0],
      "settings": {"train.members": 2},
      "rows": [{"name": "net", "model": "flat"}, {"name": "LR", "model": "linear"}]
    })";
  const ProcessResult result =
      hmtc_program({"experiment", path, "--data", project_.data(), "--out", project_.path("out")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("row \"LR\": train.members"));
  EXPECT_THAT(result.err, HasSubstr("only networks have it"));
  EXPECT_FALSE(fs::exists(project_.path("out")));
}

TEST_F(ExperimentRefusal, ATrialThatARowCannotHaveIsNamedBeforeAnythingIsWritten) {
  const std::string path = project_.path("trials.json");
  std::ofstream(path) << R"({
      "title": "trials",
      "data": {"description": "a few documents", "directory": "{data}"},
      "seeds": [0],
      "rows": [{"name": "net", "model": "flat", "trials": [{}, {"model.rarity": true}]}]
    })";
  const ProcessResult result =
      hmtc_program({"experiment", path, "--data", project_.data(), "--out", project_.path("out")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("row \"net\": model.rarity"));
  EXPECT_FALSE(fs::exists(project_.path("out")));
}

TEST_F(ExperimentRefusal, AMistypedSourceIsNotWhatTheDataAreMadeOf) {
  const std::string file = plan("2", R"("directory": "{data}", "train_documents": 14)");
  fs::create_directories(
      project_.path("out/results"));  // as when the results of a table are copied
  const auto call = [&](const std::string& data) {
    return hmtc_program({"experiment", file, "--data", data, "--out", project_.path("out")});
  };
  EXPECT_EQ(call(project_.path("typo")).exit_code, 4);
  EXPECT_EQ(call(project_.data()).exit_code, 0);
}

TEST_F(ExperimentRefusal, AModelIsNoFolderForResults) {
  const ProcessResult result =
      hmtc_program({"experiment", plan("2"), "--data", project_.data(), "--out", project_.model()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("a model in it"));
}

TEST_F(ExperimentRefusal, ResultsMadeWithOtherDefaultsAreRefused) {
  ASSERT_EQ(hmtc_program(arguments()).exit_code, 0);
  const std::string file = project_.path("out/results/linear.seed0.json");
  std::string result = content_of(file);
  const std::string defaults = ", defaults: train.refit=true";
  const std::size_t at = result.find(defaults);
  ASSERT_NE(at, std::string::npos);
  std::ofstream(file) << std::string(result).replace(at, defaults.size(), ", defaults: x.y=1");
  const ProcessResult refused = hmtc_program(arguments());
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("x.y=1"));
  // Older versions did not write them down.
  std::ofstream(file) << std::string(result).erase(at, defaults.size());
  EXPECT_EQ(hmtc_program(arguments()).exit_code, 0);
}

TEST_F(ExperimentRefusal, AnImportWithoutAValidationSplitIsRefused) {
  const ProcessResult result =
      hmtc_program({"experiment", plan("1", import_of_csv("80/0/20")), "--data", project_.path("."),
                    "--out", project_.path("out")});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("the split that an experiment chooses by"));
}

TEST_F(ExperimentRefusal, MissingPiecesAreNamed) {
  const std::string file = plan();
  const ProcessResult no_data = hmtc_program({"experiment", file, "--out", project_.path("out")});
  EXPECT_EQ(no_data.exit_code, 2);
  EXPECT_THAT(no_data.err, HasSubstr("--data"));
  const ProcessResult no_file =
      hmtc_program({"experiment", "nowhere.json", "--out", project_.path("out")});
  EXPECT_EQ(no_file.exit_code, 4);
  const ProcessResult no_documents = hmtc_program(
      {"experiment", file, "--data", project_.path("none"), "--out", project_.path("out2")});
  EXPECT_EQ(no_documents.exit_code, 4);
  EXPECT_THAT(no_documents.err, HasSubstr("expected a data directory"));
}

TEST_F(ExperimentRefusal, DataWithoutATestSplitAreRefusedBeforeTraining) {
  fs::remove(project_.path("data/test.jsonl"));
  const ProcessResult result = hmtc_program(arguments());
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("test.jsonl"));
  EXPECT_FALSE(fs::exists(project_.path("out/runs/flat-mean.trial0.seed0")));
}

}  // namespace
}  // namespace hmtc
