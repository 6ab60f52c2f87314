#include "linear/word_pairs.h"

#include <gtest/gtest.h>

#include "linear/documents.h"

namespace hmtc {
namespace {

using Pairs = std::vector<WordPair>;

/// Pairs and counts as (first, second, documents).
std::vector<std::vector<std::size_t>> counted(const Documents& documents, std::size_t most) {
  std::vector<std::vector<std::size_t>> rows;
  for (const PairCount& found : frequent_pairs(documents.rows(), 2, most)) {
    rows.push_back({static_cast<std::size_t>(found.pair.first),
                    static_cast<std::size_t>(found.pair.second), found.documents});
  }
  return rows;
}

TEST(PairTable, AnEmptyTableHasNoPair) {
  const PairTable table;
  EXPECT_EQ(table.size(), 0U);
  EXPECT_EQ(table.find({2, 3}), PairTable::kNone);
  EXPECT_TRUE(table.pairs().empty());
}

TEST(PairTable, NumbersPairsInTheOrderOfTheirComing) {
  PairTable table;
  EXPECT_EQ(table.add({5, 2}), 0);
  EXPECT_EQ(table.add({2, 5}), 1);
  EXPECT_EQ(table.add({5, 2}), 0);
  EXPECT_EQ(table.find({2, 5}), 1);
  EXPECT_EQ(table.find({2, 2}), PairTable::kNone);
  EXPECT_EQ(table.pairs(), (Pairs{{5, 2}, {2, 5}}));
}

TEST(PairTable, FindsEveryPairOfMany) {
  PairTable table;
  for (std::int32_t i = 0; i < 3000; ++i) table.add({1 + i % 60, 1 + i / 60});
  EXPECT_EQ(table.size(), 3000U);
  for (std::int32_t i = 0; i < 3000; ++i) EXPECT_EQ(table.find({1 + i % 60, 1 + i / 60}), i);
  EXPECT_EQ(table.find({61, 1}), PairTable::kNone);
}

TEST(FrequentPairs, OfNoDocumentsAreNone) {
  EXPECT_TRUE(counted(Documents({}), 10).empty());
  EXPECT_TRUE(counted(Documents({{}, {2}, {3}}), 10).empty());
}

TEST(FrequentPairs, StandInTwoDocumentsOrMore) {
  // 2 3 twice in one document, 3 2 in two.
  EXPECT_EQ(counted(Documents({{2, 3, 2, 3}, {3, 2}}), 10),
            (std::vector<std::vector<std::size_t>>{{3, 2, 2}}));
}

TEST(FrequentPairs, PaddingAndUnknownWordsMakeNoneAndKeepOthersApart) {
  EXPECT_TRUE(counted(Documents({{2, 1, 3, 0, 4}, {2, 1, 3, 0, 4}}), 10).empty());
}

TEST(FrequentPairs, TheMostFrequentComeFirstAndEqualsByTheirIds) {
  // 4 5 in three documents; 2 9, 3 2 and 3 4 in two.
  const Documents documents({{3, 4, 5}, {3, 4, 5}, {4, 5}, {3, 2, 9}, {3, 2, 9}});
  const std::vector<std::vector<std::size_t>> all = {{4, 5, 3}, {2, 9, 2}, {3, 2, 2}, {3, 4, 2}};
  EXPECT_EQ(counted(documents, 10), all);
  EXPECT_EQ(counted(documents, 4), all);
  EXPECT_EQ(counted(documents, 2), (std::vector<std::vector<std::size_t>>{all[0], all[1]}));
  EXPECT_TRUE(counted(documents, 0).empty());
}

}  // namespace
}  // namespace hmtc
