#include "metrics/evaluation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "metrics/expected_values.h"
#include "metrics/small_predictions.h"
#include "support/expect_error.h"

namespace hmtc {
namespace {

const std::vector<std::int32_t> kNoLevels = {0};

EvaluationInput expected_input() {
  using namespace expected;
  return {.scores = {kScores, kNumDocuments, kNumLabels},
          .truth = {kTruthOffsets, kTruth},
          .level_begin = kLevelBegin,
          .parents = {kParentOffsets, kParents},
          .global_threshold = 0.5F,
          .label_thresholds = kLabelThresholds};
}

TEST(EvaluateScores, OfNothingIsUndefinedAndDoesNotFail) {
  const EvaluationReport report =
      evaluate_scores({.scores = {}, .truth = {}, .level_begin = kNoLevels, .parents = {}});
  EXPECT_EQ(report.num_documents, 0U);
  EXPECT_TRUE(std::isnan(report.areas.micro));
  EXPECT_TRUE(std::isnan(report.at_half.flat.micro.f1));
  EXPECT_TRUE(std::isnan(report.precision_at[0]));
  EXPECT_TRUE(std::isnan(report.violations.document_rate));
  EXPECT_TRUE(std::isnan(report.calibration.error));
  EXPECT_TRUE(report.calibration_per_level.empty());
}

TEST(EvaluateScores, FillsEveryPartOfTheReport) {
  using namespace expected;
  const EvaluationReport report = evaluate_scores(expected_input());
  EXPECT_EQ(report.num_documents, kNumDocuments);
  EXPECT_EQ(report.num_labels, kNumLabels);
  EXPECT_EQ(report.num_labels_with_positives, kLabelsWithPositives);
  EXPECT_NEAR(report.areas.micro, kMicroArea, 1e-12);
  EXPECT_NEAR(report.at_half.flat.macro.f1, kMacroAtHalf.f1, 1e-12);
  EXPECT_NEAR(report.at_half.hierarchical.f1, kHierarchicalAtHalf.f1, 1e-12);
  EXPECT_NEAR(report.at_label_thresholds.flat.samples.f1, kSamplesAtLabelThresholds.f1, 1e-12);
  EXPECT_NEAR(report.at_label_thresholds.hierarchical.precision,
              kHierarchicalAtLabelThresholds.precision, 1e-12);
  EXPECT_NEAR(report.precision_at[2], kPrecisionAt[2], 1e-12);
  EXPECT_EQ(report.violations.edges, kViolatedEdges);
  EXPECT_EQ(report.violations.documents, kViolatedDocuments);
}

TEST(EvaluateScores, MeasuresCalibrationOverallAndPerLevel) {
  // Level 1: 0.5 +, 0.25 -; level 2: 1 +, 0 -.
  const SmallPredictions predictions({{0.5F, 1.0F}, {0.25F, 0.0F}}, {{0, 1}, {}});
  const std::vector<std::int32_t> levels = {0, 1, 2};
  const EvaluationReport report = evaluate_scores({.scores = predictions.scores(),
                                                   .truth = predictions.truth(),
                                                   .level_begin = levels,
                                                   .parents = OwnedLabelSets({{}, {}}).view()});
  EXPECT_NEAR(report.calibration.error, 0.75 / 4, 1e-12);
  EXPECT_NEAR(report.calibration.brier, (0.25 + 0.0625) / 4, 1e-12);
  ASSERT_EQ(report.calibration_per_level.size(), 2U);
  EXPECT_NEAR(report.calibration_per_level[0].error, 0.75 / 2, 1e-12);
  EXPECT_EQ(report.calibration_per_level[1].error, 0);
}

TEST(EvaluateScores, UsesTheGlobalThreshold) {
  EvaluationInput input = expected_input();
  input.global_threshold = 0;  // predicts every pair, so recall is 1
  const EvaluationReport report = evaluate_scores(input);
  EXPECT_EQ(report.global_threshold, 0.0F);
  EXPECT_EQ(report.at_global_threshold.flat.micro.recall, 1.0);
  EXPECT_NEAR(report.at_half.flat.micro.recall, expected::kMicroAtHalf.recall, 1e-12);
}

TEST(EvaluateScores, WithoutLabelThresholdsTheirPartIsUndefined) {
  EvaluationInput input = expected_input();
  input.label_thresholds = {};
  const EvaluationReport report = evaluate_scores(input);
  EXPECT_TRUE(std::isnan(report.at_label_thresholds.flat.micro.f1));
  EXPECT_TRUE(std::isnan(report.at_label_thresholds.hierarchical.f1));
}

TEST(EvaluateScores, LevelsThatDoNotFitAreRefused) {
  EvaluationInput input = expected_input();
  input.level_begin = kNoLevels;
  expect_error(ErrorKind::kInternal, {"levels"}, [&] { evaluate_scores(input); });
}

TEST(CountViolations, WithoutEdgesThereIsNoRateOfEdges) {
  const SmallPredictions predictions({{0.5F, 0.6F}}, {{}});
  const auto violations = count_violations(predictions.scores(), OwnedLabelSets({{}, {}}).view());
  EXPECT_EQ(violations.edges, 0U);
  EXPECT_TRUE(std::isnan(violations.edge_rate));
  EXPECT_EQ(violations.document_rate, 0.0);
}

TEST(CountViolations, CountsEdgesWhoseChildScoresAboveByMoreThanAMillionth) {
  // Edges 1 < 0, 2 < 0, 2 < 1. First document: 0.6 > 0.5 for both parents of 2, and 1 within the
  // tolerance of 0. Second: coherent. 2 of 6 edges, 1 of 2 documents.
  const SmallPredictions predictions({{0.5F, 0.5000005F, 0.6F}, {0.9F, 0.5F, 0.5F}}, {{}, {}});
  const auto violations =
      count_violations(predictions.scores(), OwnedLabelSets({{}, {0}, {0, 1}}).view());
  EXPECT_EQ(violations.edges, 2U);
  EXPECT_DOUBLE_EQ(violations.edge_rate, 1.0 / 3.0);
  EXPECT_EQ(violations.documents, 1U);
  EXPECT_DOUBLE_EQ(violations.document_rate, 0.5);
}

}  // namespace
}  // namespace hmtc
