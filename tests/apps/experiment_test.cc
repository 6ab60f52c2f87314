// An experiment from its file to its table; killed, it goes on without repeating what is done.
#include <gmock/gmock.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "apps/tiny_experiment.h"

namespace hmtc {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

using Experiment = TinyExperiment;

TEST_F(Experiment, MakesTableAndPageAndRepeatsNothing) {
  const ProcessResult first = hmtc_program(arguments());
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.err, HasSubstr("6 of 6"));
  EXPECT_THAT(lines_of(first.out), testing::SizeIs(2));
  EXPECT_THAT(out("table.md"), HasSubstr("| linear |"));
  EXPECT_THAT(out("table.md"), HasSubstr("0.5000"));  // the paper's
  EXPECT_THAT(out("report.html"), HasSubstr("flat &lt;mean&gt;"));
  EXPECT_THAT(out("report.html"), Not(HasSubstr("<mean>")));
  const auto result = nlohmann::json::parse(out("results/flat-mean.seed1.json"));
  EXPECT_EQ(result["seed"], 1);
  EXPECT_GT(result["test"]["micro"].get<double>(), 0);
  EXPECT_GT(result["peak_mb"].get<double>(), 1);
  EXPECT_THAT(result["command"].get<std::string>(), Not(HasSubstr(project_.path(""))));
  EXPECT_THAT(result["settings"].dump(),
              HasSubstr("train.learning_rate=0.01"));  // validated better
  EXPECT_TRUE(
      nlohmann::json::parse(out("search/flat-mean.trial0.seed0.json"))["test"]["micro"].is_null());
  EXPECT_FALSE(fs::exists(project_.path("out/runs/flat-mean.seed1")));

  const auto written = fs::last_write_time(project_.path("out/results/flat-mean.seed1.json"));
  const ProcessResult second = hmtc_program(arguments());
  ASSERT_EQ(second.exit_code, 0) << second.err;
  EXPECT_EQ(second.err, "");
  EXPECT_EQ(fs::last_write_time(project_.path("out/results/flat-mean.seed1.json")), written);
}

TEST_F(Experiment, GoesOnWhenTheProgramIsReplaced) {
  Arguments command = hmtc_command(arguments());
  const std::string copy = project_.path("hmtc");
  fs::copy_file(command.front(), copy);
  fs::create_symlink(fs::path(command.front()).parent_path() / "hmtc-trainer",
                     project_.path("hmtc-trainer"));
  command.front() = copy;
  Process process(command);
  while (process.is_running() && !fs::exists(project_.path("out/runs"))) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  fs::remove(copy);
  const ProcessResult result = process.wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("6 of 6"));
}

TEST_F(Experiment, FoldersMayBeSpeltOtherwiseTheNextTime) {
  const std::string file = plan("2", R"("directory": "{data}", "train_documents": 14)");
  const std::string folder = project_.path("out");
  const Arguments first = {"experiment", file,   "--data",       project_.data(),
                           "--out",      folder, "--keep-models"};
  ASSERT_EQ(hmtc_program(first).exit_code, 0);
  fs::remove(folder + "/results/flat-mean.seed1.json");
  const std::string log = folder + "/runs/flat-mean.seed1/log.txt";
  fs::remove(log);
  const ProcessResult again =
      hmtc_program({"experiment", file, "--data", project_.data() + "/", "--out",
                    project_.path("data/../out/"), "--keep-models"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_TRUE(fs::exists(folder + "/results/flat-mean.seed1.json"));
  EXPECT_FALSE(fs::exists(log));  // its model was found and measured, not trained again
}

TEST_F(Experiment, WhatWasCopiedIsNotNeededWhereItCameFromAnyMore) {
  const std::string file = plan("2", R"("directory": "{data}", "train_documents": 14)");
  const Arguments call = {"experiment",    file,    "--data",
                          project_.data(), "--out", project_.path("out")};
  ASSERT_EQ(hmtc_program(call).exit_code, 0);
  fs::remove(project_.path("out/results/flat-mean.seed1.json"));
  fs::rename(project_.data(), project_.path("elsewhere"));
  const ProcessResult again = hmtc_program(call);
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_TRUE(fs::exists(project_.path("out/results/flat-mean.seed1.json")));
}

TEST_F(Experiment, AModelThatIsDamagedIsTrainedAgainTheNextTime) {
  ASSERT_EQ(hmtc_program(arguments({"--keep-models"})).exit_code, 0);
  fs::remove(project_.path("out/results/flat-mean.seed1.json"));
  fs::remove(project_.path("out/results/linear.seed1.json"));
  std::ofstream(project_.path("out/runs/flat-mean.seed1/model/model.safetensors")) << "lost";
  const ProcessResult damaged = hmtc_program(arguments({"--keep-models"}));
  EXPECT_EQ(damaged.exit_code, 5);
  EXPECT_THAT(damaged.err, HasSubstr("failed: flat-mean.seed1"));
  EXPECT_TRUE(fs::exists(project_.path("out/results/linear.seed1.json")));
  EXPECT_EQ(hmtc_program(arguments({"--keep-models"})).exit_code, 0);
  EXPECT_TRUE(fs::exists(project_.path("out/results/flat-mean.seed1.json")));
}

TEST_F(Experiment, ARunThatIsTrainedIsOnlyMeasured) {
  ASSERT_EQ(hmtc_program(arguments({"--keep-models"})).exit_code, 0);
  const std::string result_file = project_.path("out/results/flat-mean.seed1.json");
  const std::string log = project_.path("out/runs/flat-mean.seed1/log.txt");
  const std::string before = content_of(result_file);
  fs::remove(result_file);
  fs::remove(log);
  ASSERT_EQ(hmtc_program(arguments({"--keep-models"})).exit_code, 0);
  EXPECT_EQ(content_of(result_file), before);
  EXPECT_FALSE(fs::exists(log));
}

TEST_F(Experiment, TheRunOfTheChosenTrialIsNotTrainedAgain) {
  ASSERT_EQ(hmtc_program(arguments({"--keep-models"})).exit_code, 0);
  const auto trial = nlohmann::json::parse(out("search/flat-mean.trial0.seed0.json"));
  const auto run = nlohmann::json::parse(out("results/flat-mean.seed0.json"));
  EXPECT_EQ(run["train_seconds"], trial["train_seconds"]);  // no two runs take as long
  EXPECT_THAT(run["command"].get<std::string>(), HasSubstr("OUT/runs/flat-mean.seed0/model"));
  EXPECT_TRUE(fs::exists(project_.path("out/runs/flat-mean.seed0/model")));
  EXPECT_FALSE(fs::exists(project_.path("out/runs/flat-mean.trial0.seed0")));
  EXPECT_FALSE(fs::exists(project_.path("out/runs/flat-mean.trial1.seed0")));
  // Where the trial's model is gone, the run is trained, to the same scores.
  fs::remove(project_.path("out/results/flat-mean.seed0.json"));
  fs::remove_all(project_.path("out/runs"));
  ASSERT_EQ(hmtc_program(arguments()).exit_code, 0);
  EXPECT_EQ(nlohmann::json::parse(out("results/flat-mean.seed0.json"))["test"], run["test"]);
}

TEST_F(Experiment, ARunThatLearnsFromTheHeldOutDocumentsInTheEndIsNotItsTrial) {
  fs::remove(project_.path("data/val.jsonl"));
  plan(R"(1, "train.refit": true)", R"("directory": "{data}", "seed_decides_split": true)");
  const ProcessResult result = hmtc_program({"experiment", project_.path("plan.json"), "--data",
                                             project_.data(), "--out", project_.path("out")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto trial = nlohmann::json::parse(out("search/flat-mean.trial0.seed0.json"));
  const auto run = nlohmann::json::parse(out("results/flat-mean.seed0.json"));
  EXPECT_GT(trial["validation"]["micro"].get<double>(), 0);
  EXPECT_TRUE(run["validation"]["micro"].is_null());
  EXPECT_NE(run["train_seconds"], trial["train_seconds"]);
  EXPECT_FALSE(fs::exists(project_.path("out/runs/flat-mean.trial0.seed0")));
}

TEST_F(Experiment, TheSeedHoldsDocumentsOutOfADirectoryWithoutAValidationSplit) {
  fs::remove(project_.path("data/val.jsonl"));
  plan("1", R"("directory": "{data}", "seed_decides_split": true, "train_documents": 14)");
  const ProcessResult result = hmtc_program({"experiment", project_.path("plan.json"), "--data",
                                             project_.data(), "--out", project_.path("out")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(lines_of(out("data/seed0/train.jsonl")), testing::SizeIs(14));
  EXPECT_THAT(lines_of(out("data/seed0/held_out.jsonl")), testing::SizeIs(2));  // 15 %
  EXPECT_NE(out("data/seed0/held_out.jsonl"), out("data/seed1/held_out.jsonl"));
  // Training holds the same documents out: its last validation is what was measured afterwards.
  const auto flat = nlohmann::json::parse(out("results/flat-mean.seed0.json"));
  double best = 0;
  for (const auto& point : flat.at("learning_curve"))
    best = std::max(best, point.at("score").get<double>());
  EXPECT_NEAR(flat.at("validation").at("micro").get<double>(), best, 1e-6);
  // The linear model has learnt from them in the end, and can not be validated any more.
  const auto linear = nlohmann::json::parse(out("results/linear.seed0.json"));
  EXPECT_TRUE(linear.at("validation").at("micro").is_null());
}

TEST_F(Experiment, ImportsOnceForAllSeedsOrOnceForEach) {
  const std::string import = import_of_csv("60/20/20");
  for (const bool for_each : {false, true}) {
    const std::string folder = project_.path(for_each ? "each" : "once");
    const std::string file =
        plan("1", import + (for_each ? R"(, "seed_decides_split": true)" : ""));
    fs::create_directories(folder + (for_each ? "/data/seed1.unfinished" : "/data"));
    const ProcessResult result =
        hmtc_program({"experiment", file, "--data", project_.path("."), "--out", folder});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(fs::exists(folder + "/data/all/test.jsonl"), !for_each);
    EXPECT_EQ(fs::exists(folder + "/data/seed1/test.jsonl"), for_each);
    EXPECT_FALSE(fs::exists(folder + "/data/seed1.unfinished"));
  }
}

TEST_F(Experiment, KilledItGoesOnWithWhatIsLeft) {
  const auto num_results = [&] {
    std::size_t count = 0;
    for (const char* folder : {"out/results", "out/search"}) {
      if (!fs::exists(project_.path(folder))) continue;
      for (const auto& entry : fs::directory_iterator(project_.path(folder))) {
        count += entry.path().extension() == ".json" ? 1 : 0;
      }
    }
    return count;
  };
  {
    Process process(hmtc_command(arguments()));
    while (process.is_running() && num_results() < 2) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    process.send(SIGKILL);
    EXPECT_NE(process.wait().exit_code, 0);
  }
  const std::size_t before = num_results();
  ASSERT_GE(before, 2U);
  ASSERT_LT(before, 6U);
  const ProcessResult result = hmtc_program(arguments());
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto lines = lines_of(result.err);
  EXPECT_THAT(lines.front(), HasSubstr(std::to_string(before) + " of 6 runs are done"));
  EXPECT_EQ(lines.size(), 1 + 6 - before) << result.err;
  EXPECT_EQ(num_results(), 6U);
}

TEST_F(Experiment, ARowLearnsFromTheModelOfAnotherThatIsThenThrownAway) {
  const std::string path = project_.path("taught.json");
  std::ofstream(path) << R"({
      "title": "taught",
      "data": {"description": "a few documents", "directory": "{data}"},
      "seeds": [0, 1],
      "settings": {"encoder.kind": "embedding", "encoder.embedding_width": 6, "train.batch_size": 8,
                   "train.epochs": 2},
      "rows": [
        {"name": "pupil", "model": "flat", "teacher": "two"},
        {"name": "two", "model": "flat", "settings": {"train.members": 2}}
      ]
    })";
  const Arguments run = {"experiment",    path,    "--data",
                         project_.data(), "--out", project_.path("out")};
  const ProcessResult result = hmtc_program(run);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(nlohmann::json::parse(out("results/pupil.seed1.json"))["command"].get<std::string>(),
              HasSubstr("--teacher OUT/runs/two.seed1/model"));
  EXPECT_FALSE(fs::exists(project_.path("out/runs/two.seed1")));
  // Where the pupil's result is lost, its teacher is trained again: the model is gone.
  fs::remove(project_.path("out/results/pupil.seed1.json"));
  const ProcessResult again = hmtc_program(run);
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(lines_of(again.err), testing::SizeIs(1 + 2)) << again.err;
}

}  // namespace
}  // namespace hmtc
