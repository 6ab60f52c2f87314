#include "report/statistics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace hmtc {
namespace {

using Values = std::vector<double>;

TEST(Mean, OfNothingIsNan) { EXPECT_TRUE(std::isnan(mean({}))); }

TEST(Mean, OfEqualValuesIsExactlyTheirs) {
  EXPECT_EQ(mean(Values{0.1, 0.1, 0.1}), 0.1);  // 0.1 + 0.1 + 0.1 is not 0.3 in binary
  EXPECT_DOUBLE_EQ(mean(Values{1, 2, 6}), 3);
}

TEST(SampleDeviation, OfFewerThanTwoValuesIsNan) {
  EXPECT_TRUE(std::isnan(sample_deviation({})));
  EXPECT_TRUE(std::isnan(sample_deviation(Values{0.5})));
}

TEST(SampleDeviation, DividesByOneLessThanTheNumberOfValues) {
  // Mean 3, squares 4 + 1 + 9 = 14, 14 / 2 = 7.
  EXPECT_DOUBLE_EQ(sample_deviation(Values{1, 2, 6}), std::sqrt(7.0));
  EXPECT_EQ(sample_deviation(Values{0.1, 0.1, 0.1}), 0);
}

TEST(TwoSidedP, OfNoDistanceIsOneAndOfAnInfiniteOneZero) {
  EXPECT_EQ(two_sided_p(0, 4), 1);
  EXPECT_EQ(two_sided_p(INFINITY, 4), 0);
  EXPECT_EQ(two_sided_p(1e200, 4), 0);
  EXPECT_TRUE(std::isnan(two_sided_p(kUndefined, 4)));
}

TEST(TwoSidedP, AgreesWithScipy) {
  // 2 * scipy.stats.t.sf(abs(t), df), SciPy 1.10.1
  EXPECT_NEAR(two_sided_p(2.776445, 4), 0.05000000538209156, 1e-13);
  EXPECT_NEAR(two_sided_p(1, 1), 0.5, 1e-13);
  EXPECT_NEAR(two_sided_p(0.5, 2), 2.0 / 3.0, 1e-13);
  EXPECT_NEAR(two_sided_p(-1.5, 9), 0.16785065605707486, 1e-13);
  EXPECT_NEAR(two_sided_p(30, 3), 8.135280427163967e-05, 1e-15);
  EXPECT_NEAR(two_sided_p(1e-9, 4), 0.99999999925, 1e-13);
  EXPECT_NEAR(two_sided_p(8, 200), 9.879200909330671e-14, 1e-23);
  EXPECT_NEAR(two_sided_p(1.96, 100000), 0.04999856319430167, 1e-9);
}

TEST(TwoSidedT, HasClosedFormsForOneAndTwoDegreesOfFreedom) {
  // tan(π · 0.95 / 2) and 0.95 · sqrt(2 / (1 - 0.95²))
  EXPECT_NEAR(two_sided_t(0.05, 1), 12.706204736174694, 1e-11);
  EXPECT_NEAR(two_sided_t(0.05, 2), 4.302652729749464, 1e-12);
}

TEST(TwoSidedT, AgreesWithScipy) {
  // scipy.stats.t.ppf(0.975, df), SciPy 1.10.1, which is good for ten digits
  EXPECT_NEAR(two_sided_t(0.05, 4), 2.7764451051977987, 1e-9);
  EXPECT_NEAR(two_sided_t(0.05, 9), 2.2621571627409915, 1e-9);
  EXPECT_NEAR(two_sided_t(0.05, 1000), 1.9623390808264074, 1e-9);
}

TEST(CompareOverSeeds, IsUndefinedForFewerThanTwoCommonSeeds) {
  const PairedComparison none = compare_over_seeds({{0, 0.5}, {1, 0.5}}, {{2, 0.5}});
  EXPECT_EQ(none.num_pairs, 0U);
  const PairedComparison one = compare_over_seeds({{0, 0.5}, {1, 0.5}}, {{1, 0.25}, {2, 0.5}});
  EXPECT_EQ(one.num_pairs, 1U);
  EXPECT_THAT((Values{one.difference, one.low, one.high, one.p}), testing::Each(testing::IsNan()));
}

TEST(CompareOverSeeds, AgreesWithScipy) {
  // scipy.stats.ttest_rel of the five common seeds, and its confidence_interval()
  const ValuesBySeed first = {{0, 0.81}, {1, 0.82}, {2, 0.80}, {3, 0.83}, {4, 0.79}, {7, 0.1}};
  const ValuesBySeed second = {{0, 0.80}, {1, 0.79}, {2, 0.80}, {3, 0.80}, {4, 0.78}, {8, 0.9}};
  const PairedComparison comparison = compare_over_seeds(first, second);
  EXPECT_EQ(comparison.num_pairs, 5U);
  EXPECT_NEAR(comparison.difference, 0.016, 1e-12);
  EXPECT_NEAR(comparison.low, -0.0006586706311867661, 1e-12);
  EXPECT_NEAR(comparison.high, 0.0326586706311867, 1e-12);
  EXPECT_NEAR(comparison.p, 0.056, 1e-12);
}

TEST(CompareOverSeeds, ChangesSignWithTheOrder) {
  const ValuesBySeed high = {{0, 0.9}, {1, 0.8}};
  const ValuesBySeed low = {{0, 0.6}, {1, 0.7}};
  const PairedComparison above = compare_over_seeds(high, low);
  const PairedComparison below = compare_over_seeds(low, high);
  EXPECT_NEAR(above.difference, 0.2, 1e-12);
  EXPECT_NEAR(below.difference, -0.2, 1e-12);
  EXPECT_NEAR(below.low, -above.high, 1e-12);
  EXPECT_DOUBLE_EQ(above.p, below.p);
}

TEST(CompareOverSeeds, LeavesOutSeedsWithoutAValue) {
  const PairedComparison comparison =
      compare_over_seeds({{0, 0.75}, {1, kUndefined}, {2, 0.5}}, {{0, 0.5}, {1, 0.5}, {2, 0.25}});
  EXPECT_EQ(comparison.num_pairs, 2U);
  EXPECT_EQ(comparison.difference, 0.25);
}

TEST(CompareOverSeeds, EqualRowsDoNotDiffer) {
  const ValuesBySeed values = {{0, 0.75}, {1, 0.5}, {2, 0.25}};
  const PairedComparison comparison = compare_over_seeds(values, values);
  EXPECT_EQ(comparison.difference, 0);
  EXPECT_EQ(comparison.low, 0);
  EXPECT_EQ(comparison.high, 0);
  EXPECT_EQ(comparison.p, 1);
}

TEST(CompareOverSeeds, TheSameDifferenceInAllSeedsHasNoSpread) {
  const PairedComparison comparison =
      compare_over_seeds({{0, 0.75}, {1, 0.75}, {2, 0.75}}, {{0, 0.5}, {1, 0.5}, {2, 0.5}});
  EXPECT_EQ(comparison.low, 0.25);
  EXPECT_EQ(comparison.high, 0.25);
  EXPECT_EQ(comparison.p, 0);
}

}  // namespace
}  // namespace hmtc
