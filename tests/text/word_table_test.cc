#include "text/word_table.h"

#include <gtest/gtest.h>

namespace hmtc {
namespace {

TEST(WordTable, AnEmptyOneFindsNothing) {
  const WordTable table;
  EXPECT_EQ(table.size(), 0U);
  EXPECT_EQ(table.find("a"), WordTable::kNone);
  EXPECT_EQ(table.find(""), WordTable::kNone);
}

TEST(WordTable, WordsAreNumberedAsTheyComeEachOnce) {
  WordTable table;
  EXPECT_EQ(table.add("tea"), 0);
  EXPECT_EQ(table.add(""), 1);
  EXPECT_EQ(table.add("tea"), 0);
  EXPECT_EQ(table.find(""), 1);
  EXPECT_EQ(table.find("te"), WordTable::kNone);
  EXPECT_EQ(table.word(0), "tea");
  EXPECT_EQ(table.size(), 2U);
}

TEST(WordTable, GrowingKeepsTheNumbers) {
  WordTable table;
  for (int i = 0; i < 10000; ++i) ASSERT_EQ(table.add(std::to_string(i)), i);
  for (int i = 0; i < 10000; ++i) {
    ASSERT_EQ(table.find(std::to_string(i)), i);
    ASSERT_EQ(table.word(i), std::to_string(i));
  }
  EXPECT_EQ(table.find("10000"), WordTable::kNone);
}

}  // namespace
}  // namespace hmtc
