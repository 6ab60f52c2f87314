#include "data/line_pieces.h"

#include <gtest/gtest.h>

#include <atomic>

#include "support/expect_error.h"
#include "support/temporary_directory.h"

namespace hmtc {
namespace {

using Texts = std::vector<std::string>;

/// The lines as the pieces give them; each piece is checked to know where it stands.
Texts lines_of(const std::string& path, int threads) {
  Texts lines;
  for_each_piece<Texts>(
      path, threads,
      [](const LinePiece& piece) {
        Texts texts = {std::to_string(piece.first)};
        for (const Line& line : piece.lines) texts.push_back(line.text);
        return texts;
      },
      [&](Texts&& texts) {
        EXPECT_EQ(texts.front(), std::to_string(lines.size()));
        lines.insert(lines.end(), texts.begin() + 1, texts.end());
      });
  return lines;
}

TEST(LinePieces, AFileWithoutLinesHasNone) {
  const TemporaryDirectory directory;
  EXPECT_EQ(lines_of(directory.write("f", ""), 2), Texts{});
  EXPECT_EQ(lines_of(directory.write("f", " \n\r\n"), 2), Texts{});
  expect_error(ErrorKind::kIo, {"cannot open"},
               [&] { lines_of((directory.path() / "none").string(), 2); });
}

TEST(LinePieces, FewerLinesThanThreadsAndEveryKindOfLineEndAreFine) {
  const TemporaryDirectory directory;
  EXPECT_EQ(lines_of(directory.write("f", "one"), 8), Texts{"one"});
  EXPECT_EQ(lines_of(directory.write("f", "a\r\n\nb\n \nc"), 8), (Texts{"a", "b", "c"}));
}

TEST(LinePieces, ManyLinesComeInOrderOnAnyNumberOfThreads) {
  const TemporaryDirectory directory;
  Texts expected;
  std::string content;
  for (int i = 0; i < 5000; ++i) content += expected.emplace_back(std::to_string(i)) + "\n";
  const std::string path = directory.write("f", content);
  for (const int threads : {0, 1, 2, 7}) EXPECT_EQ(lines_of(path, threads), expected) << threads;
}

TEST(LinePieces, AFailureKeepsTheLineNumberOfTheFirst) {
  const TemporaryDirectory directory;
  std::string content = "\n";
  for (int i = 2; i <= 3000; ++i) content += i == 1500 || i == 1700 ? "bad\n" : "good\n";
  const std::string path = directory.write("f", content);
  for (const int threads : {1, 2, 7}) {
    std::size_t taken = 0;
    expect_error(ErrorKind::kInput, {path + ":1500"}, [&] {
      for_each_piece<int>(
          path, threads,
          [](const LinePiece& piece) {
            for (const Line& line : piece.lines) {
              if (line.text == "bad") throw input_error(line.place, {"good", "bad", "mend it"});
            }
            return 0;
          },
          [&](int) { ++taken; });
    });
    EXPECT_LE(taken, 1500U / 128) << threads;  // pieces of 128 lines, none beyond the failure
  }
}

}  // namespace
}  // namespace hmtc
