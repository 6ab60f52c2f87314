#include "base/child_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <thread>

#include "base/files.h"
#include "support/temporary_directory.h"

namespace hmtc {
namespace {

class ChildProcess : public testing::Test {
 protected:
  ChildResult run(const std::string& script, const ChildWatch& watch = {}) {
    return run_child({"/bin/sh", "-c", script}, log(), watch);
  }
  std::filesystem::path log() const { return directory_.path() / "log"; }

  TemporaryDirectory directory_;
};

TEST_F(ChildProcess, ItsOutputIsAppendedToTheLog) {
  EXPECT_EQ(run("echo one").exit_code, 0);
  const ChildResult result = run("echo two >&2; exit 3");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(read_file(log()), "one\ntwo\n");
}

TEST_F(ChildProcess, ItsMemoryIsNotThatOfTheParent) {
  const std::vector<char> large(200 << 20, 1);  // 200 MB, which the child has until it starts
  const ChildResult result = run("sleep 0.3");
  EXPECT_GT(result.peak_mb, 0.1);
  EXPECT_LT(result.peak_mb, 100 + large[0]);
}

TEST_F(ChildProcess, IsToldOfWhileItRuns) {
  std::vector<double> seconds;
  ChildWatch watch;
  watch.report_every = std::chrono::milliseconds(100);
  watch.on_report = [&](const ChildResult& so_far) { seconds.push_back(so_far.seconds); };
  const ChildResult result = run("sleep 0.5", watch);
  ASSERT_GE(seconds.size(), 2U);
  EXPECT_LT(seconds.front(), seconds.back());
  EXPECT_LE(seconds.back(), result.seconds);
}

TEST_F(ChildProcess, ASignalThatEndedItIsInTheExitCode) {
  EXPECT_EQ(run("kill -KILL $$").exit_code, 128 + SIGKILL);
}

TEST_F(ChildProcess, IsAskedToEndWhenTheFlagIsSet) {
  std::atomic<bool> stop{false};
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    stop = true;
  });
  ChildWatch watch;
  watch.should_stop = [&] { return stop.load(); };
  const ChildResult result = run("exec sleep 60", watch);
  later.join();
  EXPECT_EQ(result.exit_code, 128 + SIGTERM);
  EXPECT_LT(result.seconds, 30);
}

TEST_F(ChildProcess, IsAskedToFinishBySigusr1) {
  bool is_ready = false;
  ChildWatch watch;
  watch.should_finish = [&] { return is_ready; };
  const char* const script = "trap 'exit 5' USR1; echo ready; while :; do sleep 0.05; done";
  const ChildResult result = run_child(
      {"/bin/sh", "-c", script}, {}, [&](const std::string&) { is_ready = true; }, watch);
  EXPECT_EQ(result.exit_code, 5);
}

TEST_F(ChildProcess, ItsLinesAreGivenAsTheyCome) {
  std::vector<std::string> lines;
  const ChildResult result =
      run_child({"/bin/sh", "-c", "echo one; echo two >&2; printf \"$LAST\""},
                {"LAST=without an end"}, [&](const std::string& line) { lines.push_back(line); });
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(lines, testing::ElementsAre("one", "two", "without an end"));
}

TEST_F(ChildProcess, WhatIsThrownForALineEndsIt) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THROW(run_child({"/bin/sh", "-c", "echo one; exec sleep 60"}, {},
                         [](const std::string&) { throw std::runtime_error("enough"); }),
               std::runtime_error);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

TEST_F(ChildProcess, ManyLinesAreReadToTheEnd) {
  std::size_t count = 0;
  run_child({"/bin/sh", "-c", "i=0; while [ $i -lt 20000 ]; do echo $i; i=$((i+1)); done"}, {},
            [&](const std::string& line) { EXPECT_EQ(line, std::to_string(count++)); });
  EXPECT_EQ(count, 20000U);
}

TEST_F(ChildProcess, ASignalToTheGroupOfTheParentDoesNotReachIt) {
  run("read pid name state parent group rest < /proc/$$/stat; test $group = $$ && echo its own");
  EXPECT_EQ(read_file(log()), "its own\n");
}

TEST_F(ChildProcess, AProgramThatIsNotThereIsAFailure) {
  EXPECT_EQ(run_child({"/nowhere/at/all"}, log()).exit_code, 127);
}

TEST(KindOfExit, IsTheKindThatTheProgramEndedWith) {
  EXPECT_EQ(kind_of_exit(3), ErrorKind::kInput);
  EXPECT_EQ(kind_of_exit(137), ErrorKind::kInternal);
}

}  // namespace
}  // namespace hmtc
