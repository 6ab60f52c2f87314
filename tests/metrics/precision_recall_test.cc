#include "metrics/precision_recall.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "metrics/expected_values.h"
#include "metrics/small_predictions.h"

namespace hmtc {
namespace {

double micro(const SmallPredictions& predictions) {
  return micro_average_precision(predictions.scores(), predictions.truth());
}

double clus(const SmallPredictions& predictions) {
  return clus_area(precision_recall_curves(predictions.scores(), predictions.truth(),
                                           one_group(predictions.scores().num_labels))
                       .front());
}

TEST(MicroAveragePrecision, WithoutDocumentsOrPositivesIsNan) {
  EXPECT_TRUE(std::isnan(micro({{}, {}})));
  EXPECT_TRUE(std::isnan(micro({{{0.9F, 0.1F}}, {{}}})));
  EXPECT_TRUE(std::isnan(clus({{}, {}})));
  EXPECT_TRUE(std::isnan(clus({{{0.9F, 0.1F}}, {{}}})));
}

TEST(MicroAveragePrecision, OfPositivesOnlyIsOne) {
  EXPECT_EQ(micro({{{0.9F, 0.1F}}, {{0, 1}}}), 1.0);
  EXPECT_EQ(clus({{{0.9F, 0.1F}}, {{0, 1}}}), 1.0);
}

TEST(MicroAveragePrecision, OneDocument) {
  // Descending: + - + -. Recall 1/2 at precision 1, recall 1 at precision 2/3.
  // 1/2 · 1 + 1/2 · 2/3 = 5/6.
  EXPECT_DOUBLE_EQ(micro({{{0.9F, 0.8F, 0.7F, 0.6F}}, {{0, 2}}}), 5.0 / 6.0);
}

TEST(MicroAveragePrecision, EqualScoresAreOneStep) {
  // One point: 1 positive among 4 pairs, wherever in the tie it stands.
  EXPECT_DOUBLE_EQ(micro({{{0.5F, 0.5F, 0.5F, 0.5F}}, {{0}}}), 0.25);
  EXPECT_DOUBLE_EQ(micro({{{0.5F, 0.5F, 0.5F, 0.5F}}, {{3}}}), 0.25);
}

TEST(MicroAveragePrecision, PoolsTheDocuments) {
  // Each document alone is perfect (1). Pooled: 0.9+ 0.8- 0.3+ 0.2-, as in OneDocument.
  EXPECT_DOUBLE_EQ(micro({{{0.9F, 0.8F}, {0.3F, 0.2F}}, {{0}, {0}}}), 5.0 / 6.0);
}

TEST(MicroAveragePrecision, NegativeScoresAndZerosOfBothSignsCompareAsNumbers) {
  // Descending: 1+ , {0+, -0-}, -1-: 1/2 · 1 + 1/2 · 2/3.
  EXPECT_DOUBLE_EQ(micro({{{1.0F, 0.0F, -0.0F, -1.0F}}, {{0, 1}}}), 5.0 / 6.0);
}

TEST(PrecisionRecallCurves, CountWhatIsAtAndAboveEachPositiveScore) {
  // Descending: 0.9-, 0.8+, {0.5+, 0.5-, 0.5+}, 0.2-, 0.1-.
  const SmallPredictions predictions({{0.9F, 0.8F, 0.5F, 0.5F, 0.5F, 0.2F, 0.1F}}, {{1, 2, 4}});
  const auto curve =
      precision_recall_curves(predictions.scores(), predictions.truth(), one_group(7)).front();
  ASSERT_EQ(curve.points.size(), 2U);
  EXPECT_EQ(curve.points[0].threshold, 0.8F);
  EXPECT_EQ(curve.points[0].true_positives, 1U);
  EXPECT_EQ(curve.points[0].false_positives, 1U);
  EXPECT_EQ(curve.points[0].false_positives_above, 1U);
  EXPECT_EQ(curve.points[1].threshold, 0.5F);
  EXPECT_EQ(curve.points[1].true_positives, 3U);
  EXPECT_EQ(curve.points[1].false_positives, 2U);
  EXPECT_EQ(curve.points[1].false_positives_above, 1U);
  EXPECT_EQ(curve.num_positives(), 3U);
}

TEST(ClusArea, StartsWithThePrecisionOfTheHighestScore) {
  // 0.9: 1 positive and 1 negative, nothing before it: precision 1/2 from recall 0 to 1.
  EXPECT_DOUBLE_EQ(clus({{{0.9F, 0.9F}}, {{0}}}), 0.5);
}

TEST(ClusArea, StartsAtZeroWhenTheHighestScoreIsANegative) {
  // From (recall 0, precision 0) to (recall 1, precision 1/2): a triangle of 1/4.
  EXPECT_DOUBLE_EQ(clus({{{0.9F, 0.8F}}, {{1}}}), 0.25);
}

TEST(ClusArea, ANegativeBetweenTwoPositivesDropsThePrecisionAtOnce) {
  // + - +: recall 0 to 1/2 at precision 1; then from TP 1, FP 1 (precision 1/2) to TP 2, FP 1
  // (2/3): 1/2 · 1 + 1/2 · (1/2 + 2/3) / 2 = 1/2 + 7/24 = 19/24.
  EXPECT_DOUBLE_EQ(clus({{{0.9F, 0.8F, 0.7F}}, {{0, 2}}}), 19.0 / 24.0);
}

TEST(ClusArea, InterpolatesATieOneTruePositiveAtATime) {
  // A: TP 1, FP 0. B: TP 3, FP 2, so one FP per TP between them, through TP 2, FP 1.
  // Precisions 1, 2/3, 3/5. In units of 1/3 recall: 1 + (1 + 2/3)/2 + (2/3 + 3/5)/2
  // = 1 + 5/6 + 19/30 = 74/30; area 74/90.
  EXPECT_DOUBLE_EQ(clus({{{0.9F, 0.5F, 0.5F, 0.5F, 0.5F}}, {{0, 1, 2}}}), 74.0 / 90.0);
}

TEST(ClusArea, IgnoresNegativesBelowTheLastPositive) {
  EXPECT_DOUBLE_EQ(clus({{{0.9F, 0.5F, 0.4F}}, {{0}}}), 1.0);
}

TEST(AreasUnderCurve, WithoutAPositiveAreAllNan) {
  const SmallPredictions predictions({{0.9F, 0.1F}}, {{}});
  const AreasUnderCurve areas = areas_under_curve(predictions.scores(), predictions.truth(),
                                                  std::vector<std::int32_t>{0, 1, 2});
  EXPECT_THAT((std::vector<double>{areas.micro, areas.macro, areas.weighted, areas.clus}),
              testing::Each(testing::IsNan()));
  EXPECT_THAT(areas.per_level, testing::ElementsAre(testing::IsNan(), testing::IsNan()));
  EXPECT_EQ(areas.num_labels_with_positives, 0U);
}

TEST(AreasUnderCurve, MacroLeavesOutLabelsWithoutPositives) {
  // Label 0: + + - (AP 1, two positives). Label 1: - + - from the top (AP 1/2, one positive).
  // Label 2: never. Macro (1 + 1/2) / 2; weighted (2 · 1 + 1 · 1/2) / 3.
  const SmallPredictions predictions({{0.9F, 0.2F, 0.5F}, {0.8F, 0.7F, 0.5F}, {0.1F, 0.6F, 0.5F}},
                                     {{0}, {0}, {1}});
  const AreasUnderCurve areas = areas_under_curve(predictions.scores(), predictions.truth(),
                                                  std::vector<std::int32_t>{0, 1, 3});
  EXPECT_DOUBLE_EQ(areas.macro, 0.75);
  EXPECT_DOUBLE_EQ(areas.weighted, 2.5 / 3.0);
  EXPECT_EQ(areas.num_labels_with_positives, 2U);
  // Level 1 is label 0. Level 2, descending: 0.7-, 0.6+, then three 0.5- and 0.2-: AP 1/2.
  EXPECT_THAT(areas.per_level, testing::ElementsAre(1.0, 0.5));
}

TEST(AreasUnderCurve, AgreeWithScikitLearn) {
  using namespace expected;
  const AreasUnderCurve areas =
      areas_under_curve({kScores, kNumDocuments, kNumLabels}, {kTruthOffsets, kTruth}, kLevelBegin);
  EXPECT_NEAR(areas.micro, kMicroArea, 1e-12);
  EXPECT_NEAR(areas.macro, kMacroArea, 1e-12);
  EXPECT_NEAR(areas.weighted, kWeightedArea, 1e-12);
  EXPECT_NEAR(areas.clus, kClusArea, 1e-12);
  EXPECT_EQ(areas.num_labels_with_positives, kLabelsWithPositives);
  ASSERT_EQ(areas.per_level.size(), std::size(kLevelAreas));
  for (std::size_t level = 0; level < std::size(kLevelAreas); ++level) {
    EXPECT_NEAR(areas.per_level[level], kLevelAreas[level], 1e-12);
  }
}

/// Sorts all pairs and walks down: the definition, without the search for negatives.
double sorted_average_precision(std::vector<std::pair<float, bool>> pairs) {
  std::sort(pairs.begin(), pairs.end(), [](auto a, auto b) { return a.first > b.first; });
  double sum = 0;
  double seen_positives = 0;
  for (std::size_t i = 0; i < pairs.size();) {
    std::size_t end = i;
    double new_positives = 0;
    for (; end < pairs.size() && pairs[end].first == pairs[i].first; ++end) {
      new_positives += pairs[end].second ? 1 : 0;
    }
    seen_positives += new_positives;
    sum += new_positives * seen_positives / static_cast<double>(end);
    i = end;
  }
  return sum / seen_positives;
}

TEST(MicroAveragePrecision, AgreesWithSortingAllPairsOnRandomMatrices) {
  Random random(20);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t documents = 1 + random.below(20);
    const std::size_t labels = 1 + random.below(12);
    const std::uint64_t distinct_scores = 1 + random.below(trial % 2 == 0 ? 10 : 100000);
    std::vector<std::vector<float>> scores(documents);
    std::vector<std::vector<std::int32_t>> truth(documents);
    std::vector<std::pair<float, bool>> pairs;
    for (std::size_t document = 0; document < documents; ++document) {
      for (std::size_t label = 0; label < labels; ++label) {
        const float score =
            static_cast<float>(random.below(distinct_scores)) / static_cast<float>(distinct_scores);
        const bool is_positive = random.below(4) == 0 || document + label == 0;
        scores[document].push_back(score);
        if (is_positive) truth[document].push_back(static_cast<std::int32_t>(label));
        pairs.emplace_back(score, is_positive);
      }
    }
    EXPECT_NEAR(micro({scores, truth}), sorted_average_precision(pairs), 1e-12);
  }
}

}  // namespace
}  // namespace hmtc
