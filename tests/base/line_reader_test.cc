#include "base/line_reader.h"

#include <gtest/gtest.h>
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

TEST(LineReader, AMissingFileAndADirectoryAreIoErrors) {
  const TemporaryDirectory directory;
  expect_error(ErrorKind::kIo, {"cannot open", "No such file"},
               [&] { LineReader((directory.path() / "none").string()); });
  expect_error(ErrorKind::kIo, {"cannot read", "directory"},
               [&] { LineReader(directory.path().string()); });
}

}  // namespace
}  // namespace hmtc
