#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "metrics/expected_values.h"
#include "metrics/f_score.h"
#include "metrics/small_predictions.h"

namespace hmtc {
namespace {

float best(const SmallPredictions& predictions) {
  return best_global_threshold(predictions.scores(), predictions.truth());
}

TEST(BestGlobalThreshold, WithoutAPositiveIsTheFallback) {
  EXPECT_EQ(best({{}, {}}), 0.5F);
  const SmallPredictions predictions({{0.9F}}, {{}});
  EXPECT_EQ(best_global_threshold(predictions.scores(), predictions.truth(), 0.3F), 0.3F);
}

TEST(BestGlobalThreshold, ThatAcceptsEverythingIsTheLowestScore) {
  EXPECT_EQ(best({{{0.75F, 0.25F}}, {{0, 1}}}), 0.25F);
  EXPECT_EQ(best({{{0.75F, 0.75F}}, {{1}}}), 0.75F);
}

TEST(BestGlobalThreshold, LiesMidwayBetweenAcceptedAndRefused) {
  // + + - -: perfect between 0.75 and 0.25.
  EXPECT_EQ(best({{{1.0F, 0.75F, 0.25F, 0.0F}}, {{0, 1}}}), 0.5F);
}

TEST(BestGlobalThreshold, MayRefuseAPositive) {
  // 1.0+ 0.75- 0.5- 0.25- 0.0+. Cut after the first: F1 = 2 · 1 / (1 + 2) = 2/3; after the last:
  // 2 · 2 / (5 + 2) = 4/7. So midway between 1.0 and 0.75.
  EXPECT_EQ(best({{{1.0F, 0.75F, 0.5F, 0.25F, 0.0F}}, {{0, 4}}}), 0.875F);
}

TEST(BestGlobalThreshold, OfEqualF1TheHighestWins) {
  // 1.0+ 0.5- 0.25- 0.0+ with two positives: after the first 2/3, after the last 4 / (4 + 2) = 2/3.
  EXPECT_EQ(best({{{1.0F, 0.5F, 0.25F, 0.0F}}, {{0, 3}}}), 0.75F);
}

TEST(BestGlobalThreshold, BetweenNeighbouringFloatsStillRefusesTheLower) {
  const float high = std::nextafter(0.5F, 1.0F);
  EXPECT_EQ(best({{{high, 0.5F}}, {{0}}}), high);
}

TEST(BestGlobalThreshold, NoOtherThresholdHasABetterMicroF1) {
  using namespace expected;
  const ScoreMatrix scores{kScores, kNumDocuments, kNumLabels};
  const LabelSets truth{kTruthOffsets, kTruth};
  const float tuned = best_global_threshold(scores, truth);
  const double best_f1 = f_scores(scores, truth, {.common = tuned}).micro.f1;
  for (int step = 0; step <= 32; ++step) {
    const float other = static_cast<float>(step) / 32;
    EXPECT_LE(f_scores(scores, truth, {.common = other}).micro.f1, best_f1) << other;
  }
}

TEST(BestLabelThresholds, AreChosenLabelByLabel) {
  // Label 0, descending: 1.0+ 0.5-; label 1: 0.5+ 0.25-; label 2 has no positive.
  const SmallPredictions predictions({{1.0F, 0.25F, 0.9F}, {0.5F, 0.5F, 0.1F}}, {{0}, {1}});
  EXPECT_THAT(best_label_thresholds(predictions.scores(), predictions.truth(), 0.4F),
              testing::ElementsAre(0.75F, 0.375F, 0.4F));
}

TEST(BestLabelThresholds, OfNoLabelsAreNone) {
  EXPECT_TRUE(best_label_thresholds({}, {}, 0.5F).empty());
}

}  // namespace
}  // namespace hmtc
