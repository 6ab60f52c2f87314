#include "data/word_splitter.h"

#include <gtest/gtest.h>

#include <map>

namespace hmtc {
namespace {

using Numbers = std::vector<std::int32_t>;

/// Words get numbers in the order of their first coming; how often one was asked for is counted.
class WordSplitting : public testing::Test {
 protected:
  Numbers of_text(const std::string& text, std::size_t most = 0) {
    return splitter_.split({"", text, std::nullopt, {}}, most).words;
  }
  Numbers of_tokens(const std::vector<std::string>& tokens, std::size_t most = 0) {
    return splitter_.split({"", std::nullopt, tokens, {}}, most).words;
  }

  std::map<std::string, std::int32_t> numbers_;
  int asked_ = 0;
  WordSplitter splitter_{{}, [this](std::string_view word) {
                           ++asked_;
                           const auto next = static_cast<std::int32_t>(numbers_.size());
                           return numbers_.emplace(word, next).first->second;
                         }};
};

TEST_F(WordSplitting, NothingHasNoWords) {
  EXPECT_EQ(of_text(""), Numbers{});
  EXPECT_EQ(of_text(" . "), Numbers{});
  EXPECT_EQ(of_tokens({}), Numbers{});
}

TEST_F(WordSplitting, WordsOfATextAreFoldedTokensAreNot) {
  EXPECT_EQ(of_text("Tea, and (tea)"), (Numbers{0, 1, 0}));
  EXPECT_EQ(of_tokens({"tea", "Tea", "New York"}), (Numbers{0, 2, 3}));
}

TEST_F(WordSplitting, WhatWasMetBeforeIsNotLookedForAgain) {
  EXPECT_EQ(of_text("state-of-the tea"), (Numbers{0, 1, 2, 3}));
  EXPECT_EQ(asked_, 4);
  EXPECT_EQ(of_text("tea state-of-the"), (Numbers{3, 0, 1, 2}));
  EXPECT_EQ(asked_, 4);
}

TEST_F(WordSplitting, LongPartsAndPartsOfManyWordsAreRightEachTime) {
  const std::string long_word(100, 'x');
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(of_text("a-b-c-d-e " + long_word + " e"), (Numbers{0, 1, 2, 3, 4, 5, 4}));
  }
}

TEST_F(WordSplitting, ManyDifferentWordsDoNotMixUp) {
  for (int round = 0; round < 2; ++round) {
    for (std::int32_t i = 0; i < 100000; ++i) {
      ASSERT_EQ(of_text("w" + std::to_string(i)), Numbers{i});
    }
  }
}

TEST_F(WordSplitting, NoMoreThanAskedForAreGiven) {
  EXPECT_EQ(of_text("a b c", 2), (Numbers{0, 1}));
  EXPECT_EQ(of_text("a-b-c", 2), (Numbers{0, 1}));
  EXPECT_EQ(of_text("a b", 2), (Numbers{0, 1}));
  EXPECT_EQ(of_tokens({"a", "b", "c"}, 2), (Numbers{0, 1}));
}

class SentenceSplitting : public testing::Test {
 protected:
  SplitText split(const Document& document, std::size_t most = 0) {
    return splitter_.split(document, most);
  }

  WordSplitter splitter_{
      {},
      [](std::string_view word) { return static_cast<std::int32_t>(word.size()); },
      WordSplitter::Sentences::kFind};
};

TEST_F(SentenceSplitting, CountsTheWordsOfEachSentence) {
  const SplitText text = split({"", "Shoes for hills. … Dry? Yes, very.", std::nullopt, {}});
  EXPECT_EQ(text.words, (Numbers{5, 3, 5, 3, 3, 4}));
  EXPECT_EQ(text.sentences, (Numbers{3, 1, 2}));  // what has no word is none
}

TEST_F(SentenceSplitting, TheLastSentenceIsCutWithTheWords) {
  const SplitText text = split({"", "Shoes for hills. Are they dry?", std::nullopt, {}}, 4);
  EXPECT_EQ(text.words.size(), 4U);
  EXPECT_EQ(text.sentences, (Numbers{3, 1}));
}

TEST_F(SentenceSplitting, PlacesBelongToTheSameWordsAndSentences) {
  const Document document = {"", "Größe? – etc. More of it! 1,5", std::nullopt, {}};
  const PlacedText placed = splitter_.split_with_places(document, 0);
  const SplitText text = split(document);
  EXPECT_EQ(placed.words, text.words);
  EXPECT_EQ(placed.sentences, text.sentences);
  std::vector<std::string> words;
  for (const WordPlace place : placed.places) {
    words.push_back(document.text->substr(place.begin, place.end - place.begin));
  }
  EXPECT_EQ(words, (std::vector<std::string>{"Größe", "etc", "More", "of", "it", "1,5"}));
  EXPECT_EQ(splitter_.split_with_places(document, 2).places.size(), 2U);
}

TEST_F(SentenceSplitting, TokensHaveNoSentences) {
  EXPECT_TRUE(split({"", std::nullopt, {{"a.", "b"}}, {}}).sentences.empty());
}

}  // namespace
}  // namespace hmtc
