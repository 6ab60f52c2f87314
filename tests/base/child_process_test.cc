#include "base/child_process.h"

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
