#include "base/line_reader.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>

#include "base/files.h"
#include "support/expect_error.h"
#include "support/temporary_directory.h"

namespace hmtc {
namespace {

std::vector<std::string> lines_of(const std::string& path) {
  LineReader reader(path);
  std::vector<std::string> lines;
  std::string_view line;
  while (reader.next(line)) lines.emplace_back(line);
  return lines;
}

std::string write_gzip(const TemporaryDirectory& directory, const std::string& content) {
  const std::string path = (directory.path() / "file.gz").string();
  gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
  gzclose(file);
  return path;
}

using Lines = std::vector<std::string>;

TEST(LineReader, AnEmptyFileHasNoLines) {
  const TemporaryDirectory directory;
  EXPECT_EQ(lines_of(directory.write("f", "")), Lines{});
}

TEST(LineReader, ALastLineWithoutNewlineCounts) {
  const TemporaryDirectory directory;
  EXPECT_EQ(lines_of(directory.write("f", "a\n\nb")), (Lines{"a", "", "b"}));
  EXPECT_EQ(lines_of(directory.write("f", "a\n\nb\n")), (Lines{"a", "", "b"}));
}

TEST(LineReader, ACarriageReturnBeforeTheNewlineIsDropped) {
  const TemporaryDirectory directory;
  EXPECT_EQ(lines_of(directory.write("f", "a\r\nb\rc\r\n\r\n")), (Lines{"a", "b\rc", ""}));
}

TEST(LineReader, LinesLongerThanTheBufferAreWhole) {
  const TemporaryDirectory directory;
  const std::string longer(1000000, 'x');
  EXPECT_EQ(lines_of(directory.write("f", "a\n" + longer + "\nb\n" + longer)),
            (Lines{"a", longer, "b", longer}));
}

TEST(LineReader, AByteOrderMarkAtTheBeginningIsPassedOver) {
  const TemporaryDirectory directory;
  const std::string mark = "\xEF\xBB\xBF";
  EXPECT_EQ(lines_of(directory.write("f", mark + "a\n" + mark + "b\n")), (Lines{"a", mark + "b"}));
}

TEST(LineReader, PlacesCountLinesFromOne) {
  const TemporaryDirectory directory;
  const std::string path = directory.write("f", "a\nb\n");
  LineReader reader(path);
  std::string_view line;
  reader.next(line);
  reader.next(line);
  EXPECT_EQ(reader.place().file, path);
  EXPECT_EQ(reader.place().line, 2U);
}

TEST(LineReader, GzipIsUnpacked) {
  const TemporaryDirectory directory;
  EXPECT_EQ(lines_of(write_gzip(directory, "a\nb\n")), (Lines{"a", "b"}));
}

TEST(LineReader, ATruncatedGzipStreamIsRefused) {
  const TemporaryDirectory directory;
  const std::string whole = read_file(write_gzip(directory, "a\nb\nc\n"));
  const std::string path = directory.write("cut.gz", whole.substr(0, whole.size() - 10));
  expect_error(ErrorKind::kInput, {"cut.gz", "a whole gzip stream"}, [&] { lines_of(path); });
}

TEST(LineReader, SeveralGzipStreamsInOneFileAreReadOneAfterTheOther) {
  const TemporaryDirectory directory;
  const std::string one = read_file(write_gzip(directory, "a\nb"));
  EXPECT_EQ(lines_of(directory.write("two.gz", one + one)), (Lines{"a", "ba", "b"}));
}

TEST(LineReader, TheLinesBeforeTheEndOfATruncatedGzipStreamAreGiven) {
  const TemporaryDirectory directory;
  std::string text;
  for (int i = 0; i < 100000; ++i) text += std::to_string(i * 7919 % 100003) + "\n";
  const std::string whole = read_file(write_gzip(directory, text));
  LineReader reader(directory.write("cut.gz", whole.substr(0, whole.size() / 2)));
  std::size_t count = 0;
  std::vector<Line> lines;
  const auto read = [&] { return read_lines(reader, 1000, BlankLines::kPassOver); };
  expect_error(ErrorKind::kInput, {"cut.gz", "a whole gzip stream"}, [&] {
    while (!(lines = read()).empty()) count += lines.size();
  });
  EXPECT_GT(count, 40000U);
  EXPECT_LT(count, 60000U);
  expect_error(ErrorKind::kInput, {"a whole gzip stream"}, read);  // and again
}

TEST(LineReader, LinesOfAPipeAreGivenBeforeItEnds) {
  const TemporaryDirectory directory;
  const std::string path = (directory.path() / "pipe").string();
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const int both_ends = open(path.c_str(), O_RDWR);  // so that opening it to read does not wait
  ASSERT_GE(both_ends, 0);
  LineReader reader(path);
  EXPECT_TRUE(reader.would_wait());
  ASSERT_EQ(write(both_ends, "a\nb\nc", 5), 5);
  EXPECT_FALSE(reader.would_wait());
  EXPECT_EQ(read_lines(reader, 1000, BlankLines::kPassOver).size(), 2U);  // c may go on
  EXPECT_TRUE(reader.would_wait());
  close(both_ends);
  EXPECT_EQ(read_lines(reader, 1000, BlankLines::kPassOver).at(0).text, "c");
}

TEST(LineReader, AMissingFileAndADirectoryAreIoErrors) {
  const TemporaryDirectory directory;
  expect_error(ErrorKind::kIo, {"cannot open", "No such file"},
               [&] { LineReader((directory.path() / "none").string()); });
  expect_error(ErrorKind::kIo, {"cannot read", "directory"},
               [&] { LineReader(directory.path().string()); });
}

}  // namespace
}  // namespace hmtc
