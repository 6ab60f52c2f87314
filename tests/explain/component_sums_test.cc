#include "explain/component_sums.h"

#include <gtest/gtest.h>

#include <cmath>

namespace hmtc {
namespace {

TEST(ComponentSums, OfNothingAreZero) {
  const ComponentSums sums(2, 3, {1, 0});
  EXPECT_EQ(sums.use(0), 0);
  EXPECT_EQ(sums.correlation(0, 1), 0);
}

TEST(ComponentSums, UseIsTheMeanAssociationOfTheLabels) {
  // Label 0 uses the components by 0.75 and 0.25, label 1 by 0.5 and 0.5.
  ComponentSums sums(2, 1, {0.75F, 0.25F, 0.5F, 0.5F});
  sums.add_label(0);
  sums.add_label(0);
  sums.add_label(1);
  EXPECT_DOUBLE_EQ(sums.use(0), 2.0 / 3);  // (0.75 + 0.75 + 0.5) / 3
  EXPECT_DOUBLE_EQ(sums.use(1), 1.0 / 3);
}

TEST(ComponentSums, NearnessIsRelativeToTheOtherComponentsAndWords) {
  ComponentSums sums(2, 3, {0.5F, 0.5F});
  // Word 1 twice, word 2 twice; relevances (component 0, component 1).
  const std::vector<float> relevance = {4, 0, 2, 0, 1, 3, 1, 1};
  const std::vector<std::int32_t> words = {1, 1, 2, 2};
  sums.add_words(relevance, words);
  // Means of the components: 2 and 1. Word 1 has the means 3 and 0: 1 and -1 above them, 0 in all.
  EXPECT_DOUBLE_EQ(sums.nearness(1, 0, 2), 1);
  EXPECT_DOUBLE_EQ(sums.nearness(1, 1, 2), -1);
  // Word 2 has 1 and 2: -1 and 1, 0 in all.
  EXPECT_DOUBLE_EQ(sums.nearness(2, 1, 2), 1);
}

TEST(ComponentSums, AWordThatIsNearToAllIsNearerToNone) {
  ComponentSums sums(2, 3, {0.5F, 0.5F});
  sums.add_words(std::vector<float>{5, 6, 1, 0}, std::vector<std::int32_t>{1, 2});
  // Means 3 and 3. Word 1: 2 and 3 above them, 2.5 on average.
  EXPECT_DOUBLE_EQ(sums.nearness(1, 0, 1), -0.5);
  EXPECT_DOUBLE_EQ(sums.nearness(1, 1, 1), 0.5);
}

TEST(ComponentSums, ComponentsThatRateWordsAlikeCorrelate) {
  ComponentSums sums(3, 2, {1, 0, 0});
  // The second is twice the first and one more, the third falls when the first rises.
  sums.add_words(std::vector<float>{1, 3, 3, 2, 5, 2, 3, 7, 1}, std::vector<std::int32_t>{0, 1, 0});
  EXPECT_NEAR(sums.correlation(0, 1), 1, 1e-9);
  EXPECT_NEAR(sums.correlation(1, 0), 1, 1e-9);
  EXPECT_NEAR(sums.correlation(0, 2), -1, 1e-9);
}

TEST(ComponentSums, CorrelationIsPearsons) {
  ComponentSums sums(2, 1, {1, 0});
  sums.add_words(std::vector<float>{1, 1, 2, 3, 3, 2}, std::vector<std::int32_t>{0, 0, 0});
  // Both have the mean 2 and the variance 2/3; the covariance is (1 + 0 + 0) / 3.
  EXPECT_NEAR(sums.correlation(0, 1), 0.5, 1e-9);
}

}  // namespace
}  // namespace hmtc
