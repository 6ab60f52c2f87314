#include "experiment/job_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "support/expect_error.h"
#include "support/temporary_directory.h"

namespace hmtc {
namespace {

namespace fs = std::filesystem;

class JobListTest : public testing::Test {
 protected:
  JobListTest() {
    plan_.title = "two rows";
    plan_.seeds = {0, 1, 2};
    plan_.rows = {{"a", "flat", {}, {}, {}, "", ""}, {"b", "linear", {}, {}, {}, "", ""}};
    for (const char* folder : {"results", "search", "runs"}) fs::create_directories(out() / folder);
  }

  const fs::path& out() const { return out_.path(); }
  JobList list() const { return {plan_, out(), ""}; }

  /// Of a trial where the name says so.
  void write_result(const std::string& name, RunResult result) const {
    const bool is_trial = name.find("trial") != std::string::npos;
    result.experiment = plan_.title;
    result.model = name.starts_with("a") ? "flat" : "linear";
    write_file_atomically(out() / (is_trial ? "search" : "results") / (name + ".json"),
                          to_json(result));
  }

  void write_seconds(const std::string& name, double seconds) const {
    RunResult result;
    result.train_seconds = seconds;
    write_result(name, result);
  }

  void write_trial(const std::string& name, const std::string& rate, double validation) const {
    RunResult result;
    result.train_seconds = 10;
    result.settings = {"train.learning_rate=" + rate};
    result.validation.combined.micro = validation;
    write_result(name, result);
  }

  Plan plan_;

 private:
  TemporaryDirectory out_;
};

TEST_F(JobListTest, AResultMadeWithAnotherDefaultIsRefused) {
  RunResult result;
  result.all_settings = list().all_settings_of({0, 0, {}});
  write_result("a.seed0", result);
  EXPECT_EQ(list().num_done(), 1U);
  result.all_settings.push_back("train.no_longer_known=1");
  write_result("a.seed0", result);
  EXPECT_EQ(list().num_done(), 1U);
  const auto epochs =
      std::find(result.all_settings.begin(), result.all_settings.end(), "train.epochs=100");
  ASSERT_NE(epochs, result.all_settings.end());
  *epochs = "train.epochs=50";
  write_result("a.seed0", result);
  expect_error(ErrorKind::kUsage, {"a.seed0.json", "train.epochs=50", "\"100\""}, [&] { list(); });
}

TEST_F(JobListTest, AResultThatDoesNotNameASettingWasMadeAsBeforeThereWasOne) {
  RunResult result;
  result.all_settings = {"train.epochs=100"};
  write_result("b.seed0", result);
  EXPECT_EQ(list().num_done(), 1U);  // without a teacher nothing is spliced
  plan_.rows[1].teacher = "a";
  write_result("a.seed0", {});
  expect_error(ErrorKind::kUsage, {"b.seed0.json", "train.teacher_splices=0", "\"4\""},
               [&] { list(); });
  plan_.rows[1].settings = {{"train.teacher_splices", "0"}};
  result.settings = {"train.teacher_splices=0"};
  write_result("b.seed0", result);
  EXPECT_EQ(list().jobs()[1].state, Job::State::kDone);
}

TEST_F(JobListTest, AnOldResultWithoutItsSettingsWasMadeAsBeforeThereWereNewOnes) {
  plan_.rows[0].model = "la-hcn";
  RunResult result;
  result.experiment = plan_.title;
  result.model = "la-hcn";
  write_file_atomically(out() / "results" / "a.seed0.json", to_json(result));
  expect_error(ErrorKind::kUsage, {"a.seed0.json", "fusion.by_frequency=false", "\"true\""},
               [&] { list(); });
}

TEST_F(JobListTest, APupilsResultIsRefusedWithoutItsTeachers) {
  plan_.rows.push_back({"a pupil", "flat", {}, {}, {}, "", ""});
  plan_.rows.back().teacher = "a";
  plan_.rows.back().settings = {{"train.teacher_splices", "0"}};
  RunResult result;
  write_result("a.seed0", result);
  result.settings = {"train.teacher_splices=0"};
  write_result("a-pupil.seed0", result);
  EXPECT_EQ(list().jobs()[2].state, Job::State::kDone);
  fs::remove(out() / "results" / "a.seed0.json");
  expect_error(ErrorKind::kUsage, {"a-pupil.seed0.json", "a.seed0.json", "delete it too"},
               [&] { list(); });
}

TEST_F(JobListTest, WhatDiffersIsNamedAndNotWhatIsTheSame) {
  plan_.rows[0].settings = {{"train.epochs", "3"}, {"train.patience", "2"}};
  const std::string recipe = list().recipe_of({0, 0, {}});
  RunResult result;
  result.settings = {"train.epochs=3", "train.patience=1"};
  write_result("a.seed0", result);
  expect_error(ErrorKind::kUsage,
               {"with other settings (\"train.patience=1\", now \"train.patience=2\")"},
               [&] { list(); });
  result.settings = {"train.epochs=3", "train.patience=2"};
  result.recipe = recipe + ", a new part";
  write_result("a.seed0", result);
  expect_error(ErrorKind::kUsage, {"from other data or defaults (\"a new part\", now nothing)"},
               [&] { list(); });
}

TEST_F(JobListTest, SettingsOfOtherModelsAloneAreNoneOfARow) {
  const std::vector<std::string> flat = list().all_settings_of({0, 0, {}});
  plan_.rows[0].model = "hmcn-f";
  const std::vector<std::string> hmcn = list().all_settings_of({0, 0, {}});
  EXPECT_THAT(flat, testing::Not(testing::Contains(testing::StartsWith("hmcn."))));
  EXPECT_THAT(hmcn, testing::Contains(testing::StartsWith("hmcn.")));
  EXPECT_THAT(hmcn, testing::Not(testing::Contains(testing::StartsWith("capsule."))));
  EXPECT_THAT(flat, testing::Contains(testing::StartsWith("linear.")));  // the wide part's
}

TEST_F(JobListTest, ARowOfWhichNothingIsKnownTakesAsLongAsTheOthers) {
  write_seconds("a.seed0", 10);
  write_seconds("a.seed1", 20);
  EXPECT_DOUBLE_EQ(list().seconds_to_come(), 15 + 3 * 15);  // seed 2 of a, all of b
}

TEST_F(JobListTest, ARowTakesAsLongAsItDidBefore) {
  write_seconds("a.seed0", 10);
  write_seconds("b.seed0", 100);
  EXPECT_DOUBLE_EQ(list().seconds_to_come(), 2 * 10 + 2 * 100);
}

TEST_F(JobListTest, ARunThatTakesOverATrialTakesNoTime) {
  plan_.rows[0].trials = {{{"train.learning_rate", "0.1"}}, {{"train.learning_rate", "0.2"}}};
  write_trial("a.trial0.seed0", "0.1", 0.5);
  write_seconds("b.seed0", 100);
  // Of a the second trial and two seeds, 10 s each; of b two seeds.
  EXPECT_DOUBLE_EQ(list().seconds_to_come(), 3 * 10 + 2 * 100);
}

TEST_F(JobListTest, WhenAllIsDoneNothingIsToCome) {
  for (const char* row : {"a", "b"}) {
    for (const char* seed : {"0", "1", "2"}) write_seconds(std::string(row) + ".seed" + seed, 10);
  }
  EXPECT_EQ(list().seconds_to_come(), 0);
}

TEST_F(JobListTest, TrialsStandBeforeTheFirstRunOfTheirRow) {
  plan_.rows[0].trials = {{{"train.learning_rate", "0.1"}}, {{"train.learning_rate", "0.2"}}};
  const JobList jobs = list();
  std::vector<std::string> names;
  for (const Job& job : jobs.jobs()) names.push_back(jobs.name_of(job));
  EXPECT_THAT(names, testing::ElementsAre("a.trial0.seed0", "a.trial1.seed0", "a.seed0", "b.seed0",
                                          "a.seed1", "b.seed1", "a.seed2", "b.seed2"));
}

TEST_F(JobListTest, TheRunWithTheSeedOfTheTrialsHasTheBestOfThem) {
  plan_.rows.resize(1);
  plan_.rows[0].trials = {{{"train.learning_rate", "0.1"}}, {{"train.learning_rate", "0.2"}}};
  const auto chosen = [&](const JobList& jobs, std::size_t job) -> std::string {
    const Job* const trial = jobs.chosen_trial_of(jobs.jobs()[job]);
    return trial == nullptr ? "none" : jobs.name_of(*trial);
  };
  EXPECT_EQ(chosen(list(), 2), "none");  // jobs 0 and 1 are the trials, 2 to 4 the seeds
  write_trial("a.trial0.seed0", "0.1", 0.5);
  EXPECT_EQ(chosen(list(), 2), "a.trial0.seed0");
  write_trial("a.trial1.seed0", "0.2", 0.75);
  const JobList jobs = list();
  EXPECT_EQ(chosen(jobs, 2), "a.trial1.seed0");
  EXPECT_EQ(chosen(jobs, 3), "none");  // another seed has to be trained
  EXPECT_EQ(chosen(jobs, 0), "none");
  EXPECT_FALSE(jobs.is_still_needed(jobs.jobs()[0]));
  EXPECT_TRUE(jobs.is_still_needed(jobs.jobs()[1]));
}

}  // namespace
}  // namespace hmtc
