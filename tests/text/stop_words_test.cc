#include "text/stop_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "support/expect_error.h"
#include "support/temporary_directory.h"
#include "text/unicode.h"

namespace hmtc {
namespace {

using testing::Contains;
using testing::Not;

TEST(StopWordList, NoneIsTheEmptyList) { EXPECT_TRUE(stop_word_list("").empty()); }

TEST(StopWordList, EnglishHasFunctionWordsAndKeepsNegations) {
  const std::vector<std::string> words = stop_word_list("english");
  for (const char* word : {"the", "of", "and", "it's", "it\u2019s"}) {
    EXPECT_THAT(words, Contains(word));
  }
  for (const char* word : {"not", "no", "model", "one"}) EXPECT_THAT(words, Not(Contains(word)));
}

TEST(StopWordList, EnglishIsFoldedAndHasNoWordTwice) {
  const std::vector<std::string> words = stop_word_list("english");
  for (const std::string& word : words) EXPECT_EQ(fold_word(word), word);
  EXPECT_EQ(std::set(words.begin(), words.end()).size(), words.size());
}

TEST(StopWordList, AFileIsReadLineByLineAndFolded) {
  const TemporaryDirectory directory;
  const std::string path = directory.write("stop.txt", "Der\n\n  f\u00DCr \r\nDA\u00DF");
  EXPECT_EQ(stop_word_list(path), (std::vector<std::string>{"der", "f\u00FCr", "dass"}));
}

TEST(StopWordList, TwoWordsOnALineAndBadUtf8AreRefused) {
  const TemporaryDirectory directory;
  expect_error(ErrorKind::kInput, {"stop.txt:2", "one stop word per line", "in the"},
               [&] { stop_word_list(directory.write("stop.txt", "a\nin the\n")); });
  expect_error(ErrorKind::kInput, {"stop.txt:1", "UTF-8"},
               [&] { stop_word_list(directory.write("stop.txt", "\xFF\n")); });
}

TEST(StopWordList, AMissingFileIsAnIoError) {
  const TemporaryDirectory directory;
  expect_error(ErrorKind::kIo, {"cannot open", "none.txt"},
               [&] { stop_word_list((directory.path() / "none.txt").string()); });
}

}  // namespace
}  // namespace hmtc
