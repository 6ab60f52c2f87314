#include "text/text_parts.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "text/tokenizer.h"

namespace hmtc {
namespace {

using Parts = std::vector<std::string>;

Parts parts_of(std::string_view text) {
  Parts parts;
  TextParts reader(text);
  for (std::string_view part; reader.next(part);) parts.emplace_back(part);
  return parts;
}

TEST(TextParts, NothingAndWhiteSpaceHaveNone) {
  EXPECT_EQ(parts_of(""), Parts{});
  EXPECT_EQ(parts_of(" \t\r\n "), Parts{});
}

TEST(TextParts, WhiteSpaceSeparatesThem) {
  EXPECT_EQ(parts_of("one"), Parts{"one"});
  EXPECT_EQ(parts_of(" (one)  t\u00E9a,\r\n\u5317\u4EAC\tend."),
            (Parts{"(one)", "t\u00E9a,", "\u5317\u4EAC", "end."}));
}

TEST(TextParts, FromAnAccentThatBelongsToASpaceOnTheTextIsOnePart) {
  EXPECT_EQ(parts_of("one  \u0301two three"), (Parts{"one", "  \u0301two three"}));
  // So it is from a space that is no ASCII: it and the next one stand together.
  EXPECT_EQ(parts_of("one two\u2003 three"), (Parts{"one", " two\u2003 three"}));
  EXPECT_EQ(parts_of("one \u2003two three"), (Parts{"one", " \u2003two three"}));
}

TEST(TextParts, AnAccentAtTheEndOfAWordBelongsToTheWord) {
  EXPECT_EQ(parts_of("cafe\u0301 con"), (Parts{"cafe\u0301", "con"}));
}

TEST(TextParts, WordsOfThePartsAreTheWordsOfTheText) {
  // Characters of many classes of UAX #29, and bytes that are not UTF-8.
  const Parts pieces = {"a",      "Z",      "1",          "'",          ".",      ",",
                        ":",      "_",      "@",          "-",          "$",      "\"",
                        " ",      " ",      "\t",         "\n",         "\r",     "\f",
                        "\u00E9", "\u00AD", "\u0085",     "\u00A0",     "\u0301", "\u0903",
                        "\u200B", "\u200D", "\u200E",     "\u2003",     "\u2019", "\u2028",
                        "\u202F", "\u05D0", "\u0E01",     "\u0E34",     "\u30A2", "\u5317",
                        "\u3042", "\uFEFF", "\U0001F600", "\U0001F1E9", "\xFF",   "\xC3"};
  Random random(3);
  Tokenizer tokenizer({.punctuation = Punctuation::kKeep});
  std::vector<Token> tokens;
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (std::uint64_t i = random.below(12); i > 0; --i)
      text += pieces[random.below(pieces.size())];
    Parts expected;
    tokenizer.tokenize(text, tokens);
    for (const Token& token : tokens) expected.push_back(token.text);
    Parts found;
    for (const std::string& part : parts_of(text)) {
      tokenizer.tokenize(part, tokens);
      for (const Token& token : tokens) found.push_back(token.text);
    }
    ASSERT_EQ(found, expected) << testing::PrintToString(text);
  }
}

}  // namespace
}  // namespace hmtc
