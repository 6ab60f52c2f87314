#include "text/word_bound.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "text/tokenizer.h"

namespace hmtc {
namespace {

TEST(MostWordsIn, NothingIsNone) {
  EXPECT_EQ(most_words_in(""), 0U);
  EXPECT_EQ(most_words_in(" \t\r\n\x01"), 0U);
}

TEST(MostWordsIn, RunsOfLettersAndDigitsCountOnceAndOtherMarksEach) {
  EXPECT_EQ(most_words_in("two words"), 2U);
  EXPECT_EQ(most_words_in("image;viewer;"), 4U);
  EXPECT_EQ(most_words_in("x_1 größer Привет"), 3U);
  EXPECT_EQ(most_words_in("望遠鏡"), 3U);
  EXPECT_EQ(most_words_in("Cafe\u0301 \u0301"), 2U);
}

TEST(MostWordsIn, NoTextHasMoreWords) {
  const std::vector<std::string> pieces = {
      "a",       "B7",       "1",      "_",           " ",        "\n",       ";",      "'",
      ".",       ",",        "-",      "ß",           "\u0301",   "\u00AD",   "\u200B", "ア",
      "アイウ",  "ひらがな", "宇宙",   "한국어",      "대한민국", "학교에서", "가",     "ㄱ",
      "々",      "ｶﾞ",       "ꀀ",     "ไทย",         "ที่",        "မြန်မာ",    "ខ្មែរ",   "ລາວ",
      "שָׁלוֹם",    "م\u200Dن", "\u200D", "👩‍🍳", "🇩🇪",       "\u3000",   "٣",      "\uFEFF",
      "#️⃣", "\xFF",     "ー"};
  TextOptions options;
  options.punctuation = Punctuation::kKeep;
  Tokenizer tokenizer(options);
  std::vector<Token> tokens;
  Random random(1);
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (std::size_t i = 0; i < 12; ++i) text += pieces[random.below(pieces.size())];
    tokenizer.tokenize(text, tokens);
    ASSERT_LE(tokens.size(), most_words_in(text)) << text;
  }
}

}  // namespace
}  // namespace hmtc
