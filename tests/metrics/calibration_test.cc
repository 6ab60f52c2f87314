#include "metrics/calibration.h"

#include <gtest/gtest.h>

#include <cmath>

#include "metrics/small_predictions.h"
#include "support/expect_error.h"

namespace hmtc {
namespace {

struct Pair {
  float score;
  bool is_positive;
};

/// Documents with one label: a pair each.
Calibration calibration_of(const std::vector<Pair>& pairs) {
  std::vector<std::vector<float>> scores;
  std::vector<std::vector<std::int32_t>> truth;
  for (const Pair& pair : pairs) {
    scores.push_back({pair.score});
    truth.push_back(pair.is_positive ? std::vector<std::int32_t>{0} : std::vector<std::int32_t>{});
  }
  const SmallPredictions predictions(scores, truth);
  return calibrations(predictions.scores(), predictions.truth(), one_group(1)).front();
}

std::vector<std::size_t> counts(const std::vector<ReliabilityBin>& bins) {
  std::vector<std::size_t> result;
  for (const ReliabilityBin& bin : bins) result.push_back(bin.count);
  return result;
}

TEST(Calibration, OfNothingIsUndefined) {
  const Calibration nothing = calibrations({}, {}, one_group(0)).front();
  EXPECT_TRUE(std::isnan(nothing.error));
  EXPECT_TRUE(std::isnan(nothing.likely_error));
  EXPECT_TRUE(std::isnan(nothing.equal_mass_error));
  EXPECT_TRUE(std::isnan(nothing.brier));
  EXPECT_EQ(counts(nothing.bins), std::vector<std::size_t>(15, 0));
  EXPECT_TRUE(std::isnan(nothing.bins[3].mean_score));
  EXPECT_TRUE(nothing.equal_mass_bins.empty());
}

TEST(Calibration, EqualsTheComputationByHand) {
  // 15 · score: 1.875, 3.75, 7.5, 7.734, 15. Bins 1, 3, 7 with two, and the last:
  //   |0.125 - 0| + |0.25 - 0| + 2 · |0.5078125 - 0.5| + |1 - 1| = 0.390625, of 5 pairs.
  const Calibration found = calibration_of(
      {{0.125F, false}, {0.25F, false}, {0.5F, true}, {0.515625F, false}, {1.0F, true}});
  EXPECT_NEAR(found.error, 0.078125, 1e-12);
  EXPECT_EQ(counts(found.bins),
            (std::vector<std::size_t>{0, 1, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 1}));
  EXPECT_NEAR(found.bins[7].mean_score, 0.5078125, 1e-12);
  EXPECT_NEAR(found.bins[7].positive_share, 0.5, 1e-12);
  // 0.015625 + 0.0625 + 0.25 + 0.265869140625 + 0 = 0.593994140625.
  EXPECT_NEAR(found.brier, 0.118798828125, 1e-12);
  // Fewer pairs than bins, so each is alone: 0.125 + 0.25 + 0.5 + 0.515625 + 0 = 1.390625.
  EXPECT_EQ(counts(found.equal_mass_bins), std::vector<std::size_t>(5, 1));
  EXPECT_NEAR(found.equal_mass_error, 0.278125, 1e-12);
}

TEST(Calibration, OfLikelyPairsLeavesTheFirstBinOut) {
  // |0.5 - 1| for three pairs, |0.75 - 0.5| for one; the ninety near 0 have no part in it.
  const ReliabilityBin bins[] = {{90, 0.01, 0.5}, {3, 0.5, 1}, {}, {1, 0.75, 0.5}};
  EXPECT_NEAR(likely_calibration_error(bins), 1.75 / 4, 1e-12);
  EXPECT_TRUE(std::isnan(likely_calibration_error({bins, 1})));
}

TEST(Calibration, IsZeroWhereEveryBinsMeanIsItsShare) {
  const Calibration found =
      calibration_of({{0.25F, true}, {0.25F, false}, {0.25F, false}, {0.25F, false}, {1, true}});
  EXPECT_EQ(found.error, 0);
  EXPECT_EQ(found.equal_mass_error, 0);
  EXPECT_NEAR(found.brier, 0.75 / 5, 1e-12);  // 0.5625 + 3 · 0.0625
}

TEST(Calibration, ABinBeginsWithItsLowerBoundAndTheLastEndsWithOne) {
  // 0.2 is 3 / 15; the next smaller float is in the bin before.
  const Calibration found = calibration_of(
      {{0.0F, false}, {0.2F, false}, {std::nextafter(0.2F, 0.0F), false}, {1.0F, true}});
  EXPECT_EQ(counts(found.bins),
            (std::vector<std::size_t>{1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}));
}

TEST(Calibration, BinsOfEqualMassHoldAsManyPairs) {
  std::vector<Pair> pairs;
  for (int i = 30; i >= 1; --i) pairs.push_back({static_cast<float>(i) / 32, false});
  const Calibration found = calibration_of(pairs);
  EXPECT_EQ(counts(found.equal_mass_bins), std::vector<std::size_t>(15, 2));
  EXPECT_NEAR(found.equal_mass_bins[0].mean_score, 1.5 / 32, 1e-12);
  EXPECT_NEAR(found.equal_mass_bins[14].mean_score, 29.5 / 32, 1e-12);
  EXPECT_NEAR(found.equal_mass_error, 465.0 / 32 / 30, 1e-12);  // the mean score
}

TEST(Calibration, BinsOfEqualMassDoNotPartEqualScores) {
  // The first 14 bins should end at ranks 2, 4, … 28, all of them 0: one bin takes the 28 zeros, a
  // quarter of them positive, the last one 0.5 and 1: (28 · 0.25 + 2 · |0.75 - 1|) / 30.
  std::vector<Pair> pairs = {{0.5F, true}, {1.0F, true}};
  for (int i = 0; i < 28; ++i) pairs.push_back({0.0F, i < 7});
  const Calibration found = calibration_of(pairs);
  EXPECT_EQ(counts(found.equal_mass_bins), (std::vector<std::size_t>{28, 2}));
  EXPECT_NEAR(found.equal_mass_error, 0.25, 1e-12);
}

TEST(Calibration, BinsOfEqualMassTellNeighbouringFloatsApart) {
  std::vector<Pair> pairs;
  for (float score = 0.5F; pairs.size() < 15; score = std::nextafter(score, 1.0F)) {
    pairs.push_back({score, pairs.size() % 2 == 0});
  }
  EXPECT_EQ(counts(calibration_of(pairs).equal_mass_bins), std::vector<std::size_t>(15, 1));
}

TEST(Calibration, EachGroupOfLabelsHasItsOwn) {
  // Label 0: 0.5 +, 0.25 -: (0.5 + 0.25) / 2. Label 1: 1 +, 0 -: right.
  const SmallPredictions predictions({{0.5F, 1.0F}, {0.25F, 0.0F}}, {{0, 1}, {}});
  const auto found = calibrations(predictions.scores(), predictions.truth(), group_per_label(2));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NEAR(found[0].error, 0.375, 1e-12);
  EXPECT_NEAR(found[0].equal_mass_error, 0.375, 1e-12);
  EXPECT_EQ(found[1].error, 0);
  EXPECT_EQ(found[1].brier, 0);
}

TEST(Calibration, ScoresThatAreNoProbabilitiesAreRefusedButForRounding) {
  EXPECT_EQ(calibration_of({{1.0000001F, true}, {-0.0F, false}}).error, 0);
  for (const float score : {1.5F, -0.5F}) {
    expect_error(ErrorKind::kInternal, {"expected probabilities"}, [&] {
      calibration_of({{score, true}});
    });
  }
}

}  // namespace
}  // namespace hmtc
