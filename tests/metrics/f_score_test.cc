#include "metrics/f_score.h"

#include <gtest/gtest.h>

#include <cmath>

#include "metrics/expected_values.h"
#include "metrics/small_predictions.h"
#include "support/expect_error.h"

namespace hmtc {
namespace {

void expect_scores(const PrecisionRecallF1& actual, const PrecisionRecallF1& expected) {
  EXPECT_NEAR(actual.precision, expected.precision, 1e-12);
  EXPECT_NEAR(actual.recall, expected.recall, 1e-12);
  EXPECT_NEAR(actual.f1, expected.f1, 1e-12);
}

void expect_undefined(const PrecisionRecallF1& actual) {
  EXPECT_TRUE(std::isnan(actual.precision));
  EXPECT_TRUE(std::isnan(actual.recall));
  EXPECT_TRUE(std::isnan(actual.f1));
}

FScores at(float threshold, const SmallPredictions& predictions) {
  return f_scores(predictions.scores(), predictions.truth(), {.common = threshold});
}

TEST(FScores, WithoutDocumentsAreNan) {
  const FScores scores = at(0.5F, {{}, {}});
  expect_undefined(scores.micro);
  expect_undefined(scores.macro);
  expect_undefined(scores.samples);
  EXPECT_EQ(scores.num_labels_with_positives, 0U);
}

TEST(FScores, WithNothingTrueAndNothingPredictedOnlyTheMeanOverDocumentsIsDefined) {
  const FScores scores = at(0.5F, {{{0.1F, 0.2F}}, {{}}});
  expect_undefined(scores.micro);
  expect_undefined(scores.macro);
  expect_scores(scores.samples, {0, 0, 0});
}

TEST(FScores, WithNothingPredictedMicroPrecisionIsNanAndRecallZero) {
  const FScores scores = at(0.5F, {{{0.1F, 0.2F}}, {{0}}});
  EXPECT_TRUE(std::isnan(scores.micro.precision));
  EXPECT_EQ(scores.micro.recall, 0.0);
  EXPECT_EQ(scores.micro.f1, 0.0);
  expect_scores(scores.macro, {0, 0, 0});
}

TEST(FScores, AScoreEqualToTheThresholdIsPredicted) {
  expect_scores(at(0.5F, {{{0.5F, 0.4F}}, {{0}}}).micro, {1, 1, 1});
}

TEST(FScores, AverageOverPairsLabelsAndDocuments) {
  // Predicted at 0.5: {0, 1}, {0}, {}.  True: {0}, {0, 1}, {1}. Label 2 has no positive and is
  // predicted nowhere.
  // Micro: 2 of 3 predicted, 2 of 4 true; F1 4/7.
  // Label 0: 2 of 2, 2 of 2, F1 1. Label 1: 0 of 1, 0 of 2, F1 0. Macro 1/2 each.
  // Documents: (1/2, 1, 2/3), (1, 1/2, 2/3), (0, 0, 0). Means 1/2, 1/2, 4/9.
  const FScores scores =
      at(0.5F, {{{0.9F, 0.6F, 0.1F}, {0.7F, 0.2F, 0.1F}, {0.3F, 0.4F, 0.1F}}, {{0}, {0, 1}, {1}}});
  expect_scores(scores.micro, {2.0 / 3.0, 0.5, 4.0 / 7.0});
  expect_scores(scores.macro, {0.5, 0.5, 0.5});
  expect_scores(scores.samples, {0.5, 0.5, 4.0 / 9.0});
  EXPECT_EQ(scores.num_labels_with_positives, 2U);
}

TEST(FScores, EveryLabelMayHaveItsOwnThreshold) {
  const SmallPredictions predictions({{0.3F, 0.8F}}, {{0}});
  const std::vector<float> thresholds = {0.2F, 0.9F};
  expect_scores(
      f_scores(predictions.scores(), predictions.truth(), {.per_label = thresholds}).micro,
      {1, 1, 1});
  expect_error(ErrorKind::kInternal, {"1 thresholds for 2 labels"}, [&] {
    const std::vector<float> one = {0.2F};
    f_scores(predictions.scores(), predictions.truth(), {.per_label = one});
  });
}

TEST(FScores, AgreeWithScikitLearn) {
  using namespace expected;
  const ScoreMatrix scores{kScores, kNumDocuments, kNumLabels};
  const LabelSets truth{kTruthOffsets, kTruth};
  const FScores half = f_scores(scores, truth, {.common = 0.5F});
  expect_scores(half.micro, kMicroAtHalf);
  expect_scores(half.macro, kMacroAtHalf);
  expect_scores(half.samples, kSamplesAtHalf);
  EXPECT_EQ(half.num_labels_with_positives, kLabelsWithPositives);
  const FScores per_label = f_scores(scores, truth, {.per_label = kLabelThresholds});
  expect_scores(per_label.micro, kMicroAtLabelThresholds);
  expect_scores(per_label.macro, kMacroAtLabelThresholds);
  expect_scores(per_label.samples, kSamplesAtLabelThresholds);
}

TEST(HierarchicalFScore, WithNothingTrueAndNothingPredictedIsNan) {
  const SmallPredictions predictions({{0.1F, 0.2F}}, {{}});
  expect_undefined(hierarchical_f_score(predictions.scores(), predictions.truth(),
                                        OwnedLabelSets({{}, {}}).view(), {.common = 0.5F}));
}

TEST(HierarchicalFScore, ClosesThePredictionUnderAllAncestors) {
  // 0 < 2 < 3 and 1 < 3. Predicted {3}, closed {0, 1, 2, 3}; true {0, 2}:
  // precision 2/4, recall 2/2, F1 4/6.
  const SmallPredictions predictions({{0.1F, 0.1F, 0.1F, 0.9F}}, {{0, 2}});
  const OwnedLabelSets parents({{}, {}, {0}, {1, 2}});
  expect_scores(hierarchical_f_score(predictions.scores(), predictions.truth(), parents.view(),
                                     {.common = 0.5F}),
                {0.5, 1, 2.0 / 3.0});
}

TEST(HierarchicalFScore, AgreesWithSetsOfAncestors) {
  using namespace expected;
  const ScoreMatrix scores{kScores, kNumDocuments, kNumLabels};
  const LabelSets truth{kTruthOffsets, kTruth};
  const LabelSets parents{kParentOffsets, kParents};
  expect_scores(hierarchical_f_score(scores, truth, parents, {.common = 0.5F}),
                kHierarchicalAtHalf);
  expect_scores(hierarchical_f_score(scores, truth, parents, {.per_label = kLabelThresholds}),
                kHierarchicalAtLabelThresholds);
}

TEST(PrecisionAt, WithoutDocumentsIsNan) { EXPECT_TRUE(std::isnan(precision_at({}, {}, 1))); }

TEST(PrecisionAt, OfEqualScoresTheSmallerIdComesFirst) {
  const SmallPredictions predictions({{0.5F, 0.5F, 0.5F}}, {{1}});
  EXPECT_EQ(precision_at(predictions.scores(), predictions.truth(), 1), 0.0);
  EXPECT_EQ(precision_at(predictions.scores(), predictions.truth(), 2), 0.5);
}

TEST(PrecisionAt, DividesByKEvenWhenThereAreFewerLabels) {
  // Two labels, both true, of five asked for.
  const SmallPredictions predictions({{0.5F, 0.6F}}, {{0, 1}});
  EXPECT_DOUBLE_EQ(precision_at(predictions.scores(), predictions.truth(), 5), 0.4);
}

TEST(PrecisionAt, ADocumentWithoutLabelsCountsAsZero) {
  // Best three of the first: 3, 1, 2, of which 1 and 3 are true. (2 + 0) / 6.
  const SmallPredictions predictions({{0.1F, 0.8F, 0.7F, 0.9F}, {0.1F, 0.2F, 0.3F, 0.4F}},
                                     {{0, 1, 3}, {}});
  EXPECT_DOUBLE_EQ(precision_at(predictions.scores(), predictions.truth(), 3), 1.0 / 3.0);
}

TEST(PrecisionAt, AgreesWithSortingTheLabels) {
  using namespace expected;
  const ScoreMatrix scores{kScores, kNumDocuments, kNumLabels};
  const LabelSets truth{kTruthOffsets, kTruth};
  EXPECT_NEAR(precision_at(scores, truth, 1), kPrecisionAt[0], 1e-12);
  EXPECT_NEAR(precision_at(scores, truth, 3), kPrecisionAt[1], 1e-12);
  EXPECT_NEAR(precision_at(scores, truth, 5), kPrecisionAt[2], 1e-12);
}

}  // namespace
}  // namespace hmtc
