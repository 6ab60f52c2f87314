// A run that is killed or stopped goes on and ends with the bytes of one that was not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <thread>

#include "apps/tiny_project.h"

namespace hmtc {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

class Interruption : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    project_ = new TinyProject;
    const ProcessResult result = hmtc_program(train("whole"));
    ASSERT_EQ(result.exit_code, 0) << result.err;
    whole_ = content_of(project_->path("whole/model.safetensors"));
  }
  static void TearDownTestSuite() { delete project_; }

  /// 36 documents in batches of 8: five steps an epoch, 200 in all, so that a signal after some
  /// fifty comes in time on a busy machine. Validations every seven steps fall at different places
  /// of an epoch, and every step writes a checkpoint.
  static Arguments train(const std::string& out, const Arguments& more = {}) {
    Arguments arguments = {"--threads", "1",
                           "--set",     "train.epochs=40",
                           "--set",     "train.patience=1000",
                           "--set",     "train.validate_steps=7",
                           "--set",     "train.checkpoint_minutes=0"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return project_->train_arguments(project_->path(out), arguments);
  }

  /// Starts a run and sends it a signal as soon as the moment has come.
  static ProcessResult interrupted(const Arguments& arguments, int signal,
                                   const std::function<bool(const Process&)>& moment) {
    Process process(hmtc_command(arguments));
    while (process.is_running() && !moment(process)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    process.send(signal);
    return process.wait();
  }

  static std::function<bool(const Process&)> after_step(int step) {
    return [said = "step " + std::to_string(step) + " "](const Process& process) {
      return process.err().find(said) != std::string::npos;
    };
  }

  static std::function<bool(const Process&)> when_exists(const std::string& name) {
    return [path = project_->path(name)](const Process&) { return fs::exists(path); };
  }

  /// Either there is no model or one that works; never a part of one.
  static void expect_no_half_model(const std::string& out) {
    if (!fs::exists(project_->path(out + "/manifest.json"))) return;
    const ProcessResult result =
        hmtc_program({"predict", project_->path(out)}, R"({"text": "tea"})");
    EXPECT_EQ(result.exit_code, 0) << result.err;
  }

  static void expect_resumed_to_the_same_bytes(const std::string& out) {
    const ProcessResult result = hmtc_program(train(out, {"--resume"}));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(content_of(project_->path(out + "/model.safetensors")), whole_);
    EXPECT_FALSE(fs::exists(project_->path(out + "/run/checkpoint.safetensors")));
    // 200 steps: 28 validations at 7, 14, …, 196, and one at the end; none twice.
    EXPECT_EQ(lines_of(content_of(project_->path(out + "/run/metrics.jsonl"))).size(), 29U);
  }

  static inline TinyProject* project_ = nullptr;
  static inline std::string whole_;
};

TEST_F(Interruption, KilledThreeTimesAndResumedEndsWithTheSameBytes) {
  const auto kill = [&](const Arguments& more, const std::function<bool(const Process&)>& moment) {
    const ProcessResult result = interrupted(train("killed", more), SIGKILL, moment);
    EXPECT_EQ(result.signal, SIGKILL) << result.err;
    expect_no_half_model("killed");
  };
  kill({}, when_exists("killed/run/checkpoint.safetensors"));
  kill({"--resume"}, after_step(21));
  kill({"--resume"}, after_step(49));
  expect_resumed_to_the_same_bytes("killed");
}

TEST_F(Interruption, KilledWhileTheModelIsWrittenLeavesNoHalfModel) {
  int signal = 0;  // the moment is short: a busy machine may miss it
  for (int attempt = 0; attempt < 10 && signal != SIGKILL; ++attempt) {
    fs::remove_all(project_->path("late"));
    signal = interrupted(train("late"), SIGKILL, when_exists(".late.hmtc-staging")).signal;
  }
  EXPECT_EQ(signal, SIGKILL);
  expect_no_half_model("late");
  expect_resumed_to_the_same_bytes("late");
}

TEST_F(Interruption, KilledWhileTrainingAgainKeepsTheOldModel) {
  ASSERT_EQ(hmtc_program(project_->train_arguments(project_->path("again"))).exit_code, 0);
  const std::string old = content_of(project_->path("again/model.safetensors"));
  EXPECT_EQ(interrupted(train("again"), SIGKILL, after_step(14)).signal, SIGKILL);
  EXPECT_EQ(content_of(project_->path("again/model.safetensors")), old);
  expect_no_half_model("again");
  expect_resumed_to_the_same_bytes("again");
}

TEST_F(Interruption, SigintAndSigtermSaveAndLeaveWithAMessage) {
  for (const auto& [signal, name] : {std::pair{SIGINT, "int"}, std::pair{SIGTERM, "term"}}) {
    SCOPED_TRACE(name);
    const ProcessResult result = interrupted(train(name), signal, after_step(21));
    EXPECT_EQ(result.exit_code, 128 + signal) << result.err;
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.err, HasSubstr("--resume"));
    EXPECT_FALSE(fs::exists(project_->path(std::string(name) + "/manifest.json")));

    const ProcessResult refused = hmtc_program(train(name));
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("unfinished run"));
    expect_resumed_to_the_same_bytes(name);
  }
}

TEST_F(Interruption, Sigusr1FinishesWithTheBestSoFar) {
  const ProcessResult result = interrupted(train("finished"), SIGUSR1, after_step(21));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("finishing with what is best so far"));
  EXPECT_FALSE(fs::exists(project_->path("finished/run/checkpoint.safetensors")));
  expect_no_half_model("finished");
  EXPECT_TRUE(fs::exists(project_->path("finished/manifest.json")));
  // It is not the whole run: the same command with --resume does all of it.
  expect_resumed_to_the_same_bytes("finished");
}

TEST_F(Interruption, Sigusr1IsRememberedUntilThereIsSomethingToFinish) {
  Process process(hmtc_command(train("early")));
  const std::string trainer = "hmtc-trainer";
  while (process.is_running() && process.program().find(trainer) == std::string::npos) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  process.send(SIGUSR1);  // LibTorch is being loaded
  const ProcessResult result = process.wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("finishing with what is best so far"));
}

TEST_F(Interruption, ASecondSignalFinishes) {
  Process process(hmtc_command(train("second")));
  const auto moment = after_step(21);
  while (process.is_running() && !moment(process)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  // Both are there when it goes on, so that the checkpoint of the first comes too late.
  for (const int signal : {SIGSTOP, SIGINT, SIGTERM, SIGCONT}) process.send(signal);
  const ProcessResult result = process.wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("finishing with what is best so far"));
  EXPECT_TRUE(fs::exists(project_->path("second/manifest.json")));
}

TEST_F(Interruption, TheLinearModelFinishesToo) {
  const Arguments arguments = {
      "train",   "--data", project_->data(), "--out", project_->path("linear"),
      "--model", "linear", "--minutes",      "1e-9"};
  const ProcessResult result = hmtc_program(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("strength 1:"));
  EXPECT_THAT(result.err, testing::Not(HasSubstr("strength 2:")));
  expect_no_half_model("linear");
}

TEST_F(Interruption, MinutesFinishWithTheBestByThen) {
  // Every step is longer than that, so that one is made.
  const ProcessResult result = hmtc_program(train("minutes", {"--minutes", "1e-9"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(lines_of(content_of(project_->path("minutes/run/metrics.jsonl"))).size(), 1U);
  EXPECT_TRUE(fs::exists(project_->path("minutes/manifest.json")));
  expect_no_half_model("minutes");
}

TEST_F(Interruption, ResumeRefusesAnotherConfigurationAndADamagedCheckpoint) {
  interrupted(train("changed"), SIGTERM, after_step(7));
  const ProcessResult other =
      hmtc_program(train("changed", {"--resume", "--set", "train.learning_rate=0.5"}));
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("train.learning_rate"));

  const std::string checkpoint = "changed/run/checkpoint.safetensors";
  std::string bytes = content_of(project_->path(checkpoint));
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  project_->directory().write(checkpoint, bytes);
  const ProcessResult damaged = hmtc_program(train("changed", {"--resume"}));
  EXPECT_EQ(damaged.exit_code, 5);
  EXPECT_THAT(damaged.err, HasSubstr("checkpoint.safetensors"));
}

}  // namespace
}  // namespace hmtc
