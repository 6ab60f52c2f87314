#include "text/tokenizer.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace hmtc {
namespace {

std::vector<Token> tokens_of(std::string_view text, const TextOptions& options = {}) {
  std::vector<Token> tokens;
  Tokenizer(options).tokenize(text, tokens);
  return tokens;
}

std::vector<std::string> words_of(std::string_view text, const TextOptions& options = {}) {
  std::vector<std::string> words;
  for (const Token& token : tokens_of(text, options)) words.push_back(token.text);
  return words;
}

using Words = std::vector<std::string>;
using Tokens = std::vector<Token>;

TEST(Tokenizer, NothingHasNoWords) {
  EXPECT_EQ(tokens_of(""), Tokens{});
  EXPECT_EQ(tokens_of(" \t\r\n"), Tokens{});
}

TEST(Tokenizer, OnlyPunctuationHasNoWords) {
  EXPECT_EQ(words_of("... -- !? \u2014 \u2026 \u201C\u201D ___ + = \U0001F600"), Words{});
}

TEST(Tokenizer, WordsAreFoldedAndCoverTheirBytes) {
  EXPECT_EQ(tokens_of("The cat, sat."), (Tokens{{"the", 0, 3}, {"cat", 4, 7}, {"sat", 9, 12}}));
}

TEST(Tokenizer, ApostrophesPointsAndUnderscoresInsideWordsDoNotEndThem) {
  EXPECT_EQ(words_of("don't e.g. 3.14 1,250 x_1"), (Words{"don't", "e.g", "3.14", "1,250", "x_1"}));
  EXPECT_EQ(words_of("don\u2019t"), (Words{"don\u2019t"}));
}

TEST(Tokenizer, AWordAloneIsTheSameAsAmongOthers) {
  for (const char* word : {"a", "Tea", "1995", "h2o", "don't"}) {
    const std::vector<Token> alone = tokens_of(word);
    const std::vector<Token> among = tokens_of(word + std::string(" x"));
    ASSERT_EQ(alone.size(), 1U);
    ASSERT_EQ(among.size(), 2U);
    EXPECT_EQ(alone[0], among[0]);
  }
}

TEST(Tokenizer, HyphensAndSlashesEndWords) {
  EXPECT_EQ(words_of("state-of-the-art and/or"), (Words{"state", "of", "the", "art", "and", "or"}));
}

TEST(Tokenizer, TheNextTextReplacesTheTokensOfTheLast) {
  Tokenizer tokenizer;
  std::vector<Token> tokens;
  tokenizer.tokenize("one two", tokens);
  tokenizer.tokenize("three", tokens);
  EXPECT_EQ(tokens, (Tokens{{"three", 0, 5}}));
  tokenizer.tokenize("", tokens);
  EXPECT_EQ(tokens, Tokens{});
}

TEST(Tokenizer, OffsetsCountBytesOfTheOriginal) {
  // u with diaeresis 2 bytes, sharp s 2 bytes (folded: two letters), an emoji 4 bytes.
  EXPECT_EQ(tokens_of("Gr\u00FC\u00DFe \U0001F600 an"),
            (Tokens{{"gr\u00FCsse", 0, 7}, {"an", 13, 15}}));
}

TEST(Tokenizer, ACombiningMarkBelongsToItsLetter) {
  EXPECT_EQ(tokens_of("cafe\u0301 x"), (Tokens{{"caf\u00E9", 0, 6}, {"x", 7, 8}}));
}

TEST(Tokenizer, ASoftHyphenVanishesFromTheTextButNotFromTheOffsets) {
  EXPECT_EQ(tokens_of("Hand\u00ADschuh da"), (Tokens{{"handschuh", 0, 11}, {"da", 12, 14}}));
}

TEST(Tokenizer, ZeroWidthCharactersVanishAndTheZeroWidthSpaceSeparates) {
  EXPECT_EQ(tokens_of("a\u200Db\u2060c"), (Tokens{{"abc", 0, 9}}));
  EXPECT_EQ(tokens_of("\uFEFF\u00AD"), Tokens{});
  EXPECT_EQ(tokens_of("a\u200Bb"), (Tokens{{"a", 0, 1}, {"b", 4, 5}}));
}

TEST(Tokenizer, TurkishTextFoldsWithoutALocale) {
  EXPECT_EQ(tokens_of("\u0130stanbul \u0131\u015F\u0131k"),
            (Tokens{{"i\u0307stanbul", 0, 9}, {"\u0131\u015F\u0131k", 10, 17}}));
}

TEST(Tokenizer, ChineseAndThaiAreCutByDictionary) {
  // "Beijing welcomes you": Beijing / welcome / you, 3 bytes a sign; the full stop goes.
  EXPECT_EQ(tokens_of("\u5317\u4EAC\u6B22\u8FCE\u4F60\u3002"),
            (Tokens{{"\u5317\u4EAC", 0, 6}, {"\u6B22\u8FCE", 6, 12}, {"\u4F60", 12, 15}}));
  // "Thai language": language / Thai.
  EXPECT_EQ(words_of("\u0E20\u0E32\u0E29\u0E32\u0E44\u0E17\u0E22"),
            (Words{"\u0E20\u0E32\u0E29\u0E32", "\u0E44\u0E17\u0E22"}));
}

TEST(Tokenizer, DigitsOfAnyScriptAreKeptMaskedOrDropped) {
  const std::string text = "In 1999, covid19 cost 3.5 or \u0663";  // an Arabic-Indic three
  EXPECT_EQ(words_of(text, {.numbers = Numbers::kKeep}),
            (Words{"in", "1999", "covid19", "cost", "3.5", "or", "\u0663"}));
  EXPECT_EQ(words_of(text, {.numbers = Numbers::kMaskDigits}),
            (Words{"in", "0000", "covid00", "cost", "0.0", "or", "0"}));
  EXPECT_EQ(words_of(text, {.numbers = Numbers::kDrop}), (Words{"in", "covid19", "cost", "or"}));
}

TEST(Tokenizer, KeptPunctuationIsTokensOfItsOwnAndSpacesNeverAre) {
  const TextOptions options = {.punctuation = Punctuation::kKeep};
  EXPECT_EQ(tokens_of("Oh, no!\n", options),
            (Tokens{{"oh", 0, 2}, {",", 2, 3}, {"no", 4, 6}, {"!", 6, 7}}));
  EXPECT_EQ(words_of("\u201C\U0001F600\u201D \u3000\u00A0\u0007\u200B", options),
            (Words{"\u201C", "\U0001F600", "\u201D"}));
}

TEST(Tokenizer, StopWordsAreLeftOutWhateverTheirCase) {
  EXPECT_EQ(tokens_of("The Cat and THE dog", {.stop_words = {"the", "and"}}),
            (Tokens{{"cat", 4, 7}, {"dog", 16, 19}}));
}

TEST(Tokenizer, StopWordsAreComparedBeforeDigitsAreMasked) {
  const TextOptions options = {.numbers = Numbers::kMaskDigits, .stop_words = {"0"}};
  EXPECT_EQ(words_of("0 7", options), (Words{"0"}));
}

TEST(Tokenizer, AWordOfAMegabyteIsOneToken) {
  const std::string word(1 << 20, 'A');
  const std::vector<Token> tokens = tokens_of(word + " b");
  ASSERT_EQ(tokens.size(), 2U);
  EXPECT_EQ(tokens[0].text, std::string(1 << 20, 'a'));
  EXPECT_EQ(tokens[1], (Token{"b", (1 << 20) + 1, (1 << 20) + 2}));
}

TEST(Tokenizer, BytesThatAreNotUtf8DoNoHarm) {
  EXPECT_EQ(tokens_of("ab \xFF\xFE cd\xC3"), (Tokens{{"ab", 0, 2}, {"cd", 6, 8}}));
  Random random(7);
  Tokenizer tokenizer({.punctuation = Punctuation::kKeep});
  std::vector<Token> tokens;
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (std::uint64_t i = random.below(40); i > 0; --i) {
      text += static_cast<char>(random.below(256));
    }
    tokenizer.tokenize(text, tokens);
    std::uint32_t last = 0;
    for (const Token& token : tokens) {
      EXPECT_LE(last, token.begin);
      EXPECT_LT(token.begin, token.end);
      EXPECT_LE(token.end, text.size());
      EXPECT_EQ(first_invalid_utf8(token.text), std::nullopt);
      last = token.end;
    }
  }
}

TEST(Tokenizer, AMovedTokenizerGoesOnWorking) {
  Tokenizer first({.stop_words = {"a"}});
  Tokenizer second = std::move(first);
  std::vector<Token> tokens;
  second.tokenize("a b", tokens);
  EXPECT_EQ(tokens, (Tokens{{"b", 2, 3}}));
}

}  // namespace
}  // namespace hmtc
