#include "base/json_text.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/expect_error.h"

namespace hmtc {
namespace {

std::string quoted(std::string_view text) {
  std::string out = "before ";
  append_json_string(out, text);
  return out.substr(7);
}

std::string written(float value) {
  std::string out;
  append_json_number(out, value);
  return out;
}

TEST(JsonText, TheEmptyTextIsTwoQuotes) { EXPECT_EQ(quoted(""), "\"\""); }

TEST(JsonText, QuotesBackslashesAndControlCharactersAreEscaped) {
  EXPECT_EQ(quoted("a\"b\\c/"), R"("a\"b\\c/")");
  EXPECT_EQ(quoted("\b\f\n\r\t"), R"("\b\f\n\r\t")");
  EXPECT_EQ(quoted(std::string_view("\0\x1f\x7f", 3)), "\"\\u0000\\u001f\x7f\"");
}

TEST(JsonText, UnicodeStaysAsItIs) {
  EXPECT_EQ(quoted("t\u00E9 \U0001F600"), "\"t\u00E9 \U0001F600\"");
}

TEST(JsonText, BytesThatAreNotUtf8AreRefused) {
  expect_error(ErrorKind::kInternal, {"UTF-8"}, [] { quoted("a\xFF"); });
}

TEST(JsonText, NumbersAreAsShortAsTheyCanBe) {
  EXPECT_EQ(written(0), "0");
  EXPECT_EQ(written(1), "1");
  EXPECT_EQ(written(0.9F), "0.9");
  EXPECT_EQ(written(0.0001F), "0.0001");
  EXPECT_EQ(written(1.5e-05F), "1.5e-05");
  EXPECT_EQ(written(0.33333334F), "0.33333334");
}

TEST(JsonText, NumbersThatAreNotFiniteAreRefused) {
  for (const float value :
       {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    expect_error(ErrorKind::kInternal, {"finite"}, [&] { written(value); });
  }
}

}  // namespace
}  // namespace hmtc
