#include "explain/word_ranking.h"

#include <gtest/gtest.h>

namespace hmtc {
namespace {

TEST(WordRanking, NoWordsHaveAnEmptyRanking) {
  EXPECT_TRUE(ranking_by({}).empty());
  EXPECT_EQ(rank_correlation({}, {}), 1);
}

TEST(WordRanking, TheHeaviestComesFirstAndOfEqualsTheEarlier) {
  const std::vector<float> weights = {0.1F, 0.5F, -2.0F, 0.5F};
  EXPECT_EQ(ranking_by(weights), (WordRanking{1, 3, 0, 2}));
}

TEST(WordRanking, AShareIsAtLeastOneWord) {
  EXPECT_EQ(count_of_share(0.01, 5), 1U);
  EXPECT_EQ(count_of_share(0.5, 5), 3U);  // 2.5, rounded up
  EXPECT_EQ(count_of_share(0.5, 1), 1U);
}

TEST(WordRanking, DeletedAndKeptWordsStayInTheirOrder) {
  const WordRanking ranking = {3, 0, 2, 1};
  EXPECT_EQ(without_top(ranking, 1), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(only_top(ranking, 2), (std::vector<std::size_t>{0, 3}));
  EXPECT_TRUE(without_top(ranking, 4).empty());
}

TEST(WordRanking, TopWordsApartIsTheShareThatIsNotCommon) {
  EXPECT_EQ(top_apart({0, 1, 2, 3}, {1, 0, 3, 2}, 2), 0);
  EXPECT_EQ(top_apart({0, 1, 2, 3}, {0, 2, 1, 3}, 2), 0.5);
}

TEST(WordRanking, SpearmansCorrelation) {
  EXPECT_EQ(rank_correlation({2, 0, 1}, {2, 0, 1}), 1);
  EXPECT_EQ(rank_correlation({0, 1, 2}, {2, 1, 0}), -1);
  // ranks of word 0, 1, 2: 1 2 3 and 2 1 3; sum of squares 2; 1 - 6 * 2 / (3 * 8)
  EXPECT_DOUBLE_EQ(rank_correlation({0, 1, 2}, {1, 0, 2}), 0.5);
}

}  // namespace
}  // namespace hmtc
