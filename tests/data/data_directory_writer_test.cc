#include "data/data_directory_writer.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "support/expect_error.h"
#include "support/temporary_directory.h"

namespace hmtc {
namespace {

namespace fs = std::filesystem;

TEST(ToJsonLine, WritesTextOrTokensAndKeepsUnicode) {
  EXPECT_EQ(to_json_line({"1", "té\n\"x\"", std::nullopt, {"a", "a/b"}}),
            R"({"id":"1","text":"té\n\"x\"","labels":["a","a/b"]})");
  EXPECT_EQ(to_json_line({"2", std::nullopt, {{"p", "q"}}, {}}),
            R"({"id":"2","tokens":["p","q"],"labels":[]})");
}

TEST(SplitWriter, WithoutAnyDocumentWritesAnEmptyFile) {
  const TemporaryDirectory directory;
  SplitWriter writer(directory.path() / "train.jsonl");
  writer.close();
  EXPECT_EQ(writer.count(), 0U);
  EXPECT_EQ(read_file(directory.path() / "train.jsonl"), "");
}

TEST(SplitWriter, TheFileAppearsWithCloseAndNotBefore) {
  const TemporaryDirectory directory;
  const fs::path path = directory.path() / "train.jsonl";
  SplitWriter writer(path);
  writer.write({"1", "tea", std::nullopt, {"a"}});
  EXPECT_FALSE(fs::exists(path));
  writer.close();
  EXPECT_EQ(writer.count(), 1U);
  EXPECT_EQ(read_file(path), "{\"id\":\"1\",\"text\":\"tea\",\"labels\":[\"a\"]}\n");
}

TEST(SplitWriter, WithoutCloseTheOldFileStaysAndNothingIsLeftBehind) {
  const TemporaryDirectory directory;
  const fs::path path = directory.write("train.jsonl", "old");
  {
    SplitWriter writer(path);
    writer.write({"1", "tea", std::nullopt, {"a"}});
  }
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(directory.path()), fs::directory_iterator()), 1);
}

TEST(SplitWriter, AMissingFolderAndAPlaceThatIsTakenAreIoErrors) {
  const TemporaryDirectory directory;
  expect_error(ErrorKind::kIo, {"cannot open"},
               [&] { SplitWriter(directory.path() / "none" / "train.jsonl"); });
  fs::create_directory(directory.path() / "taken");
  {
    SplitWriter writer(directory.path() / "taken");
    expect_error(ErrorKind::kIo, {"cannot replace"}, [&] { writer.close(); });
  }
  EXPECT_FALSE(fs::exists(directory.path() / "taken.hmtc-tmp"));
}

}  // namespace
}  // namespace hmtc
