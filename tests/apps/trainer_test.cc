// hmtc becomes hmtc-trainer to train a network: for whoever started it, nothing changes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "apps/tiny_project.h"

namespace hmtc {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class Trainer : public testing::Test {
 protected:
  TinyProject project_;
};

TEST_F(Trainer, ItIsAnotherProgramAndTheProgramItselfKnowsNoLibTorch) {
  const auto libraries_of = [](const std::string& program) {
    return run_process({"/usr/bin/ldd", program}).out;
  };
  const std::string program = hmtc_command({}).front();
  EXPECT_THAT(libraries_of(program), Not(testing::ContainsRegex("libtorch|libc10|blas|libpython")));
  EXPECT_THAT(libraries_of(fs::path(program).parent_path() / "hmtc-trainer"), HasSubstr("torch"));
}

TEST_F(Trainer, AnotherVersionIsRefused) {
  const fs::path trainer = fs::path(hmtc_command({}).front()).parent_path() / "hmtc-trainer";
  const ProcessResult result =
      run_process({"/usr/bin/env", "HMTC_TRAINER_FOR=0.0.1", trainer.string(), "--version"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("0.0.1"));
  EXPECT_THAT(result.err, HasSubstr("install both of one version"));
}

TEST_F(Trainer, StartedByHandItIsTheSameProgram) {
  const fs::path trainer = fs::path(hmtc_command({}).front()).parent_path() / "hmtc-trainer";
  EXPECT_EQ(run_process({trainer.string(), "--version"}).out, hmtc_program({"--version"}).out);
}

TEST_F(Trainer, ErrorsAndExitCodesAreThoseOfTheProgram) {
  const ProcessResult result =
      hmtc_program(project_.train_arguments(project_.path("out"), {"--embeddings", "nowhere"}));
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.err, HasSubstr("hmtc: cannot"));
  EXPECT_THAT(result.err, HasSubstr("nowhere"));
}

/// Runs the program while a text is given through a pipe.
ProcessResult with_piped(const std::string& pipe, const std::string& text,
                         const Arguments& arguments) {
  EXPECT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << text; });
  const ProcessResult result = hmtc_program(arguments);
  writer.join();
  return result;
}

TEST_F(Trainer, SettingsMayComeThroughAPipe) {
  for (const Arguments& model : {Arguments{}, Arguments{"--model", "la-hcn"}}) {
    const std::string name = "piped" + std::to_string(model.size());
    const std::string pipe = project_.path(name + ".conf");
    Arguments arguments = project_.train_arguments(project_.path(name), {"--config", pipe});
    arguments.insert(arguments.end(), model.begin(), model.end());
    const ProcessResult result = with_piped(pipe, "train.epochs = 2\n", arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(lines_of(content_of(project_.path(name + "/run/metrics.jsonl"))).size(), 2U);
  }
}

TEST_F(Trainer, SettingsOfTheLinearModelToo) {
  const std::string pipe = project_.path("linear.conf");
  const ProcessResult result =
      with_piped(pipe, "linear.strengths = 3\n",
                 {"train", "--data", project_.data(), "--out", project_.path("linear"), "--model",
                  "linear", "--config", pipe});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("strength 3:"));
  EXPECT_THAT(result.err, Not(HasSubstr("strength 1:")));
}

TEST_F(Trainer, ProgressForProgramsIsLinesOfJson) {
  const ProcessResult result = hmtc_program(project_.train_arguments(
      project_.path("out"), {"--json-progress", "--set", "train.epochs=3"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  std::vector<std::string> events;
  nlohmann::json last;
  for (const std::string& line : lines_of(result.err)) {
    last = nlohmann::json::parse(line);
    events.push_back(last.at("event"));
  }
  const auto count = [&](const char* event) {
    return std::count(events.begin(), events.end(), event);
  };
  EXPECT_EQ(count("begin"), 1);
  EXPECT_EQ(count("validation"), 3);
  EXPECT_GE(count("step"), 1);
  EXPECT_EQ(events.back(), "end");
  EXPECT_EQ(last.at("outcome"), "finished");
  EXPECT_GT(last.at("validation_auprc"), 0);
}

}  // namespace
}  // namespace hmtc
