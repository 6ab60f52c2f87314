#include "text/unicode.h"

#include <gtest/gtest.h>

namespace hmtc {
namespace {

TEST(FirstInvalidUtf8, ValidTextHasNone) {
  EXPECT_EQ(first_invalid_utf8(""), std::nullopt);
  EXPECT_EQ(first_invalid_utf8("plain"), std::nullopt);
  EXPECT_EQ(first_invalid_utf8("gr\u00FCn \u5317\u4EAC \U0001F600"), std::nullopt);
}

TEST(FirstInvalidUtf8, TheOffsetIsThatOfTheBrokenSequence) {
  EXPECT_EQ(first_invalid_utf8("\xFF"), 0U);
  EXPECT_EQ(first_invalid_utf8("ab\x80"), 2U);                      // a continuation byte alone
  EXPECT_EQ(first_invalid_utf8("\u00FC\xC3"), 2U);                  // cut off at the end
  EXPECT_EQ(first_invalid_utf8("a\xED\xA0\x80"), 1U);               // a surrogate
  EXPECT_EQ(first_invalid_utf8("a\xC0\xAF"), 1U);                   // "/" in two bytes
  EXPECT_EQ(first_invalid_utf8("\U0001F600\xF5\x80\x80\x80"), 4U);  // beyond U+10FFFF
}

TEST(FoldWord, TheEmptyWordStaysEmpty) { EXPECT_EQ(fold_word(""), ""); }

TEST(FoldWord, AsciiIsLowered) { EXPECT_EQ(fold_word("AZaz09_'@["), "azaz09_'@["); }

TEST(FoldWord, SharpSFoldsToTwoLetters) {
  EXPECT_EQ(fold_word("Stra\u00DFe"), "strasse");
  EXPECT_EQ(fold_word("STRA\u1E9EE"), "strasse");
  EXPECT_EQ(fold_word("STRASSE"), "strasse");
}

TEST(FoldWord, ComposedAndDecomposedLettersAreTheSame) {
  EXPECT_EQ(fold_word("U\u0308ber"), "\u00FCber");
  EXPECT_EQ(fold_word("\u00DCber"), "\u00FCber");
}

TEST(FoldWord, TurkishLettersFoldAsInEveryOtherLanguage) {
  EXPECT_EQ(fold_word("I"), "i");
  EXPECT_EQ(fold_word("\u0130"), "i\u0307");  // capital I with dot: i and a combining dot
  EXPECT_EQ(fold_word("\u0131"), "\u0131");   // dotless i stays
}

TEST(FoldWord, BothSmallSigmasAreTheSame) {
  EXPECT_EQ(fold_word("\u03A3\u039F\u03A6\u039F\u03A3"),
            fold_word("\u03C3\u03BF\u03C6\u03BF\u03C2"));
}

TEST(FoldWord, InvisibleCharactersGo) {
  EXPECT_EQ(fold_word("Hand\u00ADschuh"), "handschuh");  // soft hyphen
  EXPECT_EQ(fold_word("\uFEFFa\u200Bb\u200Cc\u200Dd\u2060e"), "abcde");
  EXPECT_EQ(fold_word("e\u00AD\u0301"), "\u00E9");  // what it separated composes
  EXPECT_EQ(fold_word("\u00AD\u200D"), "");
}

TEST(FoldWord, BrokenUtf8BecomesTheReplacementCharacter) {
  EXPECT_EQ(fold_word("A\xFFZ"), "a\uFFFDz");
}

TEST(Printable, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(printable("mod\xE9l\xFF"), "mod\uFFFDl\uFFFD");
}

TEST(Printable, ReplacesControlCharactersButLineEndsAndTabs) {
  EXPECT_EQ(printable(""), "");
  EXPECT_EQ(printable("gr\u00FCn\n\tok \u00AD"), "gr\u00FCn\n\tok \u00AD");
  EXPECT_EQ(printable("\x1b[2J\r\x7F\u009B1m"), "\uFFFD[2J\uFFFD\uFFFD\uFFFD1m");
}

}  // namespace
}  // namespace hmtc
