#include "text/vocabulary.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"
#include "support/temporary_directory.h"

namespace hmtc {
namespace {

Vocabulary vocabulary_of(const std::vector<std::string>& words, std::uint64_t min_count = 1,
                         std::size_t max_size = 0) {
  VocabularyBuilder builder;
  for (const std::string& word : words) builder.add(word);
  return builder.build(min_count, max_size);
}

Vocabulary read(const std::string& content) {
  const TemporaryDirectory directory;
  return read_vocabulary(directory.write("vocabulary.txt", content));
}

void expect_refused(const std::string& content, const std::vector<std::string>& parts) {
  expect_error(ErrorKind::kModel, parts, [&] { read(content); });
}

TEST(Vocabulary, WithoutWordsItHasTheTwoSpecialIds) {
  const Vocabulary vocabulary = vocabulary_of({});
  EXPECT_EQ(vocabulary.size(), 2U);
  EXPECT_EQ(vocabulary.to_text(), "<pad>\t0\n<unk>\t0\n");
  EXPECT_EQ(vocabulary.find("x"), 1);
}

TEST(Vocabulary, WordsFollowByCountAndThenBytewise) {
  // b 3, then Z, a and z-with-caron once each: bytes 5A, 61, C5.
  const Vocabulary vocabulary = vocabulary_of({"\u017E", "b", "a", "b", "Z", "b"});
  EXPECT_EQ(vocabulary.to_text(), "<pad>\t0\n<unk>\t0\nb\t3\nZ\t1\na\t1\n\u017E\t1\n");
  EXPECT_EQ(vocabulary.find("b"), 2);
  EXPECT_EQ(vocabulary.find("\u017E"), 5);
  EXPECT_EQ(vocabulary.word(3), "Z");
  EXPECT_EQ(vocabulary.count(2), 3U);
}

TEST(Vocabulary, RareWordsAndWordsBeyondTheSizeAreUnknown) {
  const std::vector<std::string> words = {"a", "a", "a", "b", "b", "c", "c", "d"};
  EXPECT_EQ(vocabulary_of(words, 2).to_text(), "<pad>\t0\n<unk>\t0\na\t3\nb\t2\nc\t2\n");
  EXPECT_EQ(vocabulary_of(words, 2, 2).to_text(), "<pad>\t0\n<unk>\t0\na\t3\nb\t2\n");
  EXPECT_EQ(vocabulary_of(words, 2, 2).find("c"), 1);
}

TEST(Vocabulary, AWordSpelledLikeASpecialIdIsUnknown) {
  const Vocabulary vocabulary = vocabulary_of({"<pad>", "<unk>", "<pad>", "", "a"});
  EXPECT_EQ(vocabulary.size(), 3U);
  EXPECT_EQ(vocabulary.find("<pad>"), 1);
  EXPECT_EQ(vocabulary.find("<unk>"), 1);
  EXPECT_EQ(vocabulary.find(""), 1);
}

TEST(VocabularyFile, WrittenAndReadBackItIsTheSame) {
  const Vocabulary first = vocabulary_of({"a\\b", "\t", "x\ny", "\r", "\u5317\u4EAC", "a\\b"});
  EXPECT_EQ(first.to_text(),
            "<pad>\t0\n<unk>\t0\na\\\\b\t2\n\\t\t1\n\\r\t1\nx\\ny\t1\n\u5317\u4EAC\t1\n");
  const Vocabulary second = read(first.to_text());
  EXPECT_EQ(second.to_text(), first.to_text());
  EXPECT_EQ(second.find("a\\b"), 2);
  EXPECT_EQ(second.find("x\ny"), 5);
  EXPECT_EQ(second.count(2), 2U);
}

TEST(VocabularyFile, TheSpecialIdsMustComeFirst) {
  expect_refused("", {"vocabulary.txt", "<pad>", "the end of the file"});
  expect_refused("<pad>\t0\n", {"<unk>", "the end of the file"});
  expect_refused("<unk>\t0\n<pad>\t0\n", {"vocabulary.txt:1", "<pad>"});
  expect_refused("<pad>\t0\n<unk>\t7\n", {"vocabulary.txt:2", "<unk>"});
}

TEST(VocabularyFile, BrokenLinesAreNamed) {
  const std::string specials = "<pad>\t0\n<unk>\t0\n";
  expect_refused(specials + "a\t2\nb\n", {"vocabulary.txt:4", "word<TAB>count", "\"b\""});
  expect_refused(specials + "\n", {"vocabulary.txt:3", "word<TAB>count"});
  expect_refused(specials + "a\t\n", {"vocabulary.txt:3", "count"});
  expect_refused(specials + "a\t-1\n", {"vocabulary.txt:3", "count", "-1"});
  expect_refused(specials + "a\t1x\n", {"vocabulary.txt:3", "count", "1x"});
  expect_refused(specials + "a\t99999999999999999999\n", {"vocabulary.txt:3", "count"});
  expect_refused(specials + "a\\x\t1\n", {"vocabulary.txt:3", "escapes"});
  expect_refused(specials + "a\\\t1\n", {"vocabulary.txt:3", "escapes"});
  expect_refused(specials + "\xFF\t1\n", {"vocabulary.txt:3", "UTF-8"});
  expect_refused(specials + "\t1\n", {"vocabulary.txt:3", "empty"});
}

TEST(VocabularyFile, AWordTwiceIsNamed) {
  expect_refused("<pad>\t0\n<unk>\t0\na\t2\na\t1\n", {"vocabulary.txt:4", "\"a\" again"});
  expect_refused("<pad>\t0\n<unk>\t0\n<pad>\t2\n", {"vocabulary.txt:3", "\"<pad>\" again"});
}

}  // namespace
}  // namespace hmtc
