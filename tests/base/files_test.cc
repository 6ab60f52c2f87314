#include "base/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <future>
#include <stdexcept>

#include "support/expect_error.h"
#include "support/temporary_directory.h"

namespace hmtc {
namespace {

namespace fs = std::filesystem;

std::size_t num_entries(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(ReadFile, GivesEveryByte) {
  const TemporaryDirectory directory;
  const std::string content("a\0\r\n\xFF", 5);
  EXPECT_EQ(read_file(directory.write("f", content)), content);
  EXPECT_EQ(read_file(directory.write("f", "")), "");
}

TEST(ReadFile, AMissingFileAndADirectoryAreIoErrors) {
  const TemporaryDirectory directory;
  expect_error(ErrorKind::kIo, {"cannot open"}, [&] { read_file(directory.path() / "none"); });
  expect_error(ErrorKind::kIo, {"cannot read"}, [&] { read_file(directory.path()); });
}

TEST(WriteFileAtomically, ReplacesTheContentAndLeavesNothingElse) {
  const TemporaryDirectory directory;
  const fs::path path = directory.write("f", "old content");
  write_file_atomically(path, "new");
  EXPECT_EQ(read_file(path), "new");
  EXPECT_EQ(num_entries(directory.path()), 1U);
}

TEST(WriteFileAtomically, APrivateFileStaysPrivate) {
  const TemporaryDirectory directory;
  const fs::path path = directory.write("f", "old");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  write_file_atomically(path, "new");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST(WriteFileAtomically, OfSeveralProcessesOneWinsAsAWhole) {
  const TemporaryDirectory directory;
  const fs::path path = directory.path() / "f";
  const auto content = [](int writer) {
    return std::string(1 << 18, static_cast<char>('a' + writer));
  };
  std::vector<pid_t> writers;
  for (int i = 0; i < 4; ++i) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      try {
        for (int turn = 0; turn < 10; ++turn) write_file_atomically(path, content(i));
      } catch (...) {
        ::_exit(1);
      }
      ::_exit(0);
    }
    writers.push_back(child);
  }
  for (const pid_t writer : writers) {
    int status = 0;
    ASSERT_EQ(::waitpid(writer, &status, 0), writer);
    EXPECT_EQ(status, 0);
  }
  const std::string found = read_file(path);
  EXPECT_EQ(found, content(found.front() - 'a'));
  EXPECT_EQ(num_entries(directory.path()), 1U);
}

TEST(WriteFileAtomically, AMissingFolderIsAnIoError) {
  const TemporaryDirectory directory;
  expect_error(ErrorKind::kIo, {"cannot write", "none/f: "},
               [&] { write_file_atomically(directory.path() / "none" / "f", "x"); });
}

TEST(WriteFileAtomically, WhatFailsLeavesNothingBehind) {
  const TemporaryDirectory directory;
  fs::create_directories(directory.path() / "place" / "with a file");
  expect_error(ErrorKind::kIo, {"cannot replace"},
               [&] { write_file_atomically(directory.path() / "place", "x"); });
  EXPECT_EQ(num_entries(directory.path()), 1U);
}

TEST(WriteOutputFile, GoesWhereASymbolicLinkLeads) {
  const TemporaryDirectory directory;
  const fs::path file = directory.write("folder/file", "old");
  const fs::path link = directory.path() / "link";
  const fs::path link_to_link = directory.path() / "folder" / "link_to_link";
  fs::create_symlink("folder/file", link);
  fs::create_symlink("../link", link_to_link);
  write_output_file(link_to_link, "new");
  EXPECT_EQ(read_file(file), "new");
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_TRUE(fs::is_symlink(link_to_link));

  fs::remove(file);
  write_output_file(link, "where nothing was");
  EXPECT_EQ(read_file(file), "where nothing was");
  EXPECT_TRUE(fs::is_symlink(link));
}

TEST(WriteOutputFile, ALinkToItselfIsAnIoError) {
  const TemporaryDirectory directory;
  const fs::path link = directory.path() / "link";
  fs::create_symlink("link", link);
  expect_error(ErrorKind::kIo, {"link"}, [&] { write_output_file(link, "x"); });
  EXPECT_TRUE(fs::is_symlink(link));
}

TEST(WriteOutputFile, WritesIntoAFifo) {
  const TemporaryDirectory directory;
  const fs::path fifo = directory.path() / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  auto read = std::async(std::launch::async, [&] { return read_file(fifo); });
  write_output_file(fifo, "through it");
  EXPECT_EQ(read.get(), "through it");
  EXPECT_TRUE(fs::is_fifo(fifo));
}

TEST(WriteOutputFile, ADirectoryIsAnIoError) {
  const TemporaryDirectory directory;
  expect_error(ErrorKind::kIo, {"cannot open"}, [&] { write_output_file(directory.path(), "x"); });
}

TEST(WriteDirectoryAtomically, ReplacesTheWholeDirectory) {
  const TemporaryDirectory directory;
  directory.write("model/old", "1");
  const fs::path path = directory.path() / "model";
  write_directory_atomically(path,
                             [](const fs::path& to) { write_file_atomically(to / "new", "2"); });
  EXPECT_EQ(read_file(path / "new"), "2");
  EXPECT_FALSE(fs::exists(path / "old"));
  EXPECT_EQ(num_entries(directory.path()), 1U);
}

TEST(WriteDirectoryAtomically, MakesADirectoryThatWasNotThere) {
  const TemporaryDirectory directory;
  const fs::path path = directory.path() / "model";
  write_directory_atomically(path,
                             [](const fs::path& to) { write_file_atomically(to / "f", "1"); });
  EXPECT_EQ(read_file(path / "f"), "1");
}

TEST(WriteDirectoryAtomically, ALinkStaysWithAndWithoutASlashAtItsEnd) {
  const TemporaryDirectory directory;
  directory.write("store/model/old", "1");
  const fs::path link = directory.path() / "link";
  const fs::path other = directory.path() / "other";
  fs::create_symlink("store/model", link);
  fs::create_symlink("link/", other);
  int number = 0;
  for (const fs::path& path :
       {link, fs::path(link.string() + "/"), other, fs::path(other.string() + "/")}) {
    const std::string name = "new" + std::to_string(++number);
    write_directory_atomically(path,
                               [&](const fs::path& to) { write_file_atomically(to / name, "2"); });
    EXPECT_TRUE(fs::is_symlink(link));
    EXPECT_TRUE(fs::is_symlink(other));
    EXPECT_EQ(read_file(directory.path() / "store/model" / name), "2");
    EXPECT_EQ(num_entries(directory.path() / "store/model"), 1U);
    EXPECT_EQ(num_entries(directory.path() / "store"), 1U);
  }
}

TEST(WriteDirectoryAtomically, CarriesOverWhatIsToBeKept) {
  const TemporaryDirectory directory;
  directory.write("model/checkpoints/3", "state");
  directory.write("model/old", "1");
  const fs::path path = directory.path() / "model";
  write_directory_atomically(path,
                             [](const fs::path& to) { write_file_atomically(to / "new", "2"); },
                             {.kept = "checkpoints", .last = ""});
  EXPECT_EQ(read_file(path / "checkpoints" / "3"), "state");
  EXPECT_FALSE(fs::exists(path / "old"));
}

TEST(WriteDirectoryAtomically, WhenFillingFailsTheOldOneStays) {
  const TemporaryDirectory directory;
  directory.write("model/old", "1");
  const fs::path path = directory.path() / "model";
  EXPECT_THROW(write_directory_atomically(path,
                                          [](const fs::path& to) {
                                            write_file_atomically(to / "half", "2");
                                            throw std::runtime_error("disk full");
                                          }),
               std::runtime_error);
  EXPECT_EQ(read_file(path / "old"), "1");
  EXPECT_EQ(num_entries(path), 1U);
}

TEST(RecoverDirectory, FinishesAReplacementThatWasCutOff) {
  // As after a kill between the exchange and the carrying over: the old one lies in staging.
  const TemporaryDirectory directory;
  directory.write("model/new", "2");
  directory.write(".model.hmtc-staging/checkpoints/3", "state");
  recover_directory(directory.path() / "model", {.kept = "checkpoints", .last = ""});
  EXPECT_EQ(read_file(directory.path() / "model" / "checkpoints" / "3"), "state");
  EXPECT_EQ(num_entries(directory.path()), 1U);
}

TEST(RecoverDirectory, FinishesAReplacementFileByFileOnlyWhenItsLastFileIsThere) {
  // As in a directory that cannot be replaced as a whole, a mount point for one.
  const TemporaryDirectory directory;
  const fs::path path = directory.path() / "model";
  directory.write("model/weights", "old");
  directory.write("model/.hmtc-staging/weights", "new");
  recover_directory(path, {.kept = "", .last = "manifest"});
  EXPECT_EQ(read_file(path / "weights"), "old");
  EXPECT_EQ(num_entries(path), 1U);

  directory.write("model/.hmtc-staging/weights", "new");
  directory.write("model/.hmtc-staging/manifest", "all");
  recover_directory(path, {.kept = "", .last = "manifest"});
  EXPECT_EQ(read_file(path / "weights"), "new");
  EXPECT_EQ(read_file(path / "manifest"), "all");
  EXPECT_EQ(num_entries(path), 2U);
}

TEST(OneSpelling, OfAPlaceIsTheSameForAllItsNames) {
  const TemporaryDirectory directory;
  const fs::path here = fs::canonical(directory.path());
  fs::create_directories(here / "real" / "deep");
  fs::create_symlink(here / "real" / "deep", here / "link");
  EXPECT_EQ(one_spelling(""), "");
  EXPECT_EQ(one_spelling(here / "real/"), here / "real");
  EXPECT_EQ(one_spelling(here / "." / "new" / ""), here / "new");
  EXPECT_EQ(one_spelling(here / "link" / ".." / "new"), here / "real" / "new");
  EXPECT_EQ(one_spelling("some"), fs::current_path() / "some");
}

}  // namespace
}  // namespace hmtc
