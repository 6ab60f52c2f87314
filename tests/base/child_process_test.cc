#include "base/child_process.h"

#include <gtest/gtest.h>

#include <csignal>
#include <thread>

#include "base/files.h"
#include "support/temporary_directory.h"

namespace hmtc {
namespace {

class ChildProcess : public testing::Test {
 protected:
  ChildResult run(const std::string& script, const std::atomic<bool>* stop = nullptr) {
    return run_child({"/bin/sh", "-c", script}, log(), stop);
  }
  std::filesystem::path log() const { return directory_.path() / "log"; }

  TemporaryDirectory directory_;
};

TEST_F(ChildProcess, ItsOutputIsAppendedToTheLog) {
  EXPECT_EQ(run("echo one").exit_code, 0);
  const ChildResult result = run("echo two >&2; exit 3");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_GT(result.peak_mb, 0);
  EXPECT_EQ(read_file(log()), "one\ntwo\n");
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
  const ChildResult result = run("exec sleep 60", &stop);
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
