#include "data/word_rarity.h"

#include <gtest/gtest.h>

#include <cmath>

namespace hmtc {
namespace {

Corpus corpus_of(const std::vector<std::vector<std::int32_t>>& documents) {
  Corpus corpus;
  for (const auto& words : documents) corpus.append("", words, {});
  return corpus;
}

TEST(WordRarity, WithoutWordsOrWithWordsThatAreEquallyRareAllAreZero) {
  EXPECT_EQ(word_rarity(corpus_of({}), 4), std::vector<float>(4));
  EXPECT_EQ(word_rarity(corpus_of({{}, {1}}), 4), std::vector<float>(4));
  EXPECT_EQ(word_rarity(corpus_of({{2}, {3}}), 4), std::vector<float>(4));
}

TEST(WordRarity, IsTheIdfLessItsMeanOverThePlacesInUnitsOfItsDeviation) {
  // Three documents. Word 2 is in all: idf ln(4/4) + 1 = 1. Word 3 is in one, twice: ln(4/2) + 1 =
  // 1.69315. Word 4 is in none: ln 4 + 1 = 2.38629. Places: 2, 2, 2, 3, 3 and an unknown one, which
  // does not count. Mean (3 * 1 + 2 * 1.69315) / 5 = 1.27726; variance (3 * 0.27726^2 + 2 *
  // 0.41589^2) / 5 = 0.115311; deviation 0.339574.
  const std::vector<float> r = word_rarity(corpus_of({{2, 3, 3}, {2, 1}, {2}}), 5);
  ASSERT_EQ(r.size(), 5U);
  EXPECT_EQ(r[0], 0);
  EXPECT_EQ(r[1], 0);
  EXPECT_NEAR(r[2], -0.816497, 1e-5);  // -sqrt(2/3)
  EXPECT_NEAR(r[3], 1.224745, 1e-5);   // sqrt(3/2)
  EXPECT_NEAR(r[4], 3.265986, 1e-5);   // (2.38629 - 1.27726) / 0.339574
}

}  // namespace
}  // namespace hmtc
