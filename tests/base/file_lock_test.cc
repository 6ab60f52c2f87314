#include "base/file_lock.h"

#include <gtest/gtest.h>

#include <optional>

#include "base/child_process.h"
#include "base/error.h"
#include "base/files.h"
#include "support/temporary_directory.h"

namespace hmtc {
namespace {

class FileLockTest : public testing::Test {
 protected:
  std::filesystem::path file() const { return directory_.path() / "lock"; }
  TemporaryDirectory directory_;
};

TEST_F(FileLockTest, OneHasItAtATime) {
  std::optional<FileLock> first(std::in_place, file(), "");
  try {
    FileLock second(file(), "somebody writes here");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_STREQ(error.what(), "somebody writes here");
  }
  first.reset();
  EXPECT_NO_THROW(FileLock(file(), ""));
}

TEST_F(FileLockTest, ChildrenDoNotInheritIt) {
  std::optional<FileLock> lock(std::in_place, file(), "");
  const ChildResult child =
      run_child({"/bin/sh", "-c", "ls -l /proc/self/fd"}, directory_.path() / "log");
  ASSERT_EQ(child.exit_code, 0);
  EXPECT_EQ(read_file(directory_.path() / "log").find(file().string()), std::string::npos);
}

TEST_F(FileLockTest, AFolderThatIsNotThereIsAnErrorOfFiles) {
  try {
    FileLock lock(directory_.path() / "none" / "lock", "");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kIo);
  }
}

}  // namespace
}  // namespace hmtc
