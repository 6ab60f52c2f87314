#include "fusion/fusion.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/logistic.h"
#include "support/expect_error.h"

namespace hmtc {
namespace {

/// One classifier's scores of some documents with two labels, each on a level of its own.
struct Scores {
  std::vector<float> values;
  ScoreMatrix matrix() const { return {values, values.size() / 2, 2}; }
};

const std::vector<std::int32_t> kTwoLevels = {0, 1, 2};

TEST(Fuse, WithoutADocumentThereIsNothingToDo) {
  const Scores none;
  fuse(same_for_each_label(std::vector<float>{1}, 2), {none.matrix()}, {});
}

TEST(Fuse, AWeightOfOneAndNoShiftChangeNothing) {
  const Scores scores{{0.9F, 0.2F, 0.4F, 0.1F}};
  std::vector<float> fused(4);
  fuse(same_for_each_label(std::vector<float>{1}, 2), {scores.matrix()}, fused);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(fused[i], scores.values[i], 1e-6);
}

TEST(Fuse, EachLabelHasItsOwnWeightsAndShift) {
  const Scores first{{sigmoid(1), sigmoid(-2)}};
  const Scores second{{sigmoid(3), sigmoid(4)}};
  const Fusion fusion{{0.5F, 0.25F, 2, 1}, {0.1F, -1}};
  std::vector<float> fused(2);
  fuse(fusion, {first.matrix(), second.matrix()}, fused);
  EXPECT_NEAR(fused[0], sigmoid(1.35F), 1e-6);  // 0.5 · 1 + 0.25 · 3 + 0.1
  EXPECT_NEAR(fused[1], sigmoid(-1), 1e-6);     // 2 · -2 + 1 · 4 - 1
}

TEST(Fuse, ScoresOfDifferentSizesAreADefect) {
  const Scores one{{0.5F, 0.5F}};
  const Scores two{{0.5F, 0.5F, 0.5F, 0.5F}};
  std::vector<float> fused(2);
  expect_error(ErrorKind::kInternal, {"differ in size"}, [&] {
    fuse(same_for_each_label(std::vector<float>{1, 1}, 2), {one.matrix(), two.matrix()}, fused);
  });
}

/// 400 documents with one label each: a quarter of those that score 0.9 have it, none of those
/// that score 0.1; at the second level a half of those that score 0.9 and a quarter of the others.
struct Overconfident {
  Overconfident() {
    for (int i = 0; i < 400; ++i) {
      const bool high = i < 200;
      scores.values.insert(scores.values.end(), 2, high ? 0.9F : 0.1F);
      if (high && i % 4 == 0) labels.push_back(0);
      if (high ? i % 2 == 0 : i % 4 == 0) labels.push_back(1);
      offsets.push_back(labels.size());
    }
  }
  LabelSets truth() const { return {offsets, labels}; }

  Scores scores;
  std::vector<std::size_t> offsets = {0};
  std::vector<std::int32_t> labels;
};

TEST(FitFusion, ScoresBecomeTheSharesSeenOnEachLevel) {
  const Overconfident data;
  const Fusion fusion =
      fit_fusion({data.scores.matrix()}, data.truth(), kTwoLevels, std::vector<float>{1});
  std::vector<float> fused(800);
  fuse(fusion, {data.scores.matrix()}, fused);
  EXPECT_NEAR(fused[0], 0.25, 0.01);   // a document with a high score, first level
  EXPECT_NEAR(fused[798], 0.0, 0.03);  // with a low one
  EXPECT_NEAR(fused[1], 0.5, 0.01);    // second level
  EXPECT_NEAR(fused[799], 0.25, 0.01);
}

TEST(FitFusion, TheClassifierThatKnowsGetsTheWeightOfTheOneThatGuesses) {
  const Overconfident data;
  Scores guess;
  for (int i = 0; i < 400; ++i)
    guess.values.insert(guess.values.end(), 2, i % 3 == 0 ? 0.9F : 0.1F);
  const Fusion fusion = fit_fusion({data.scores.matrix(), guess.matrix()}, data.truth(), kTwoLevels,
                                   std::vector<float>{0.5F, 0.5F});
  ASSERT_EQ(fusion.num_classifiers(), 2U);
  EXPECT_GT(fusion.weights[0], 4 * std::abs(fusion.weights[1]));
  EXPECT_NEAR(fusion.weights[3], 0, 0.06);
}

TEST(FitFusion, ALevelWithoutAPositiveStaysNearTheStart) {
  const Scores scores{{0.3F, 0.2F, 0.6F, 0.1F}};
  const std::vector<std::size_t> offsets = {0, 0, 0};
  const Fusion fusion =
      fit_fusion({scores.matrix()}, {offsets, {}}, kTwoLevels, std::vector<float>{1});
  EXPECT_NEAR(fusion.weights[0], 1, 0.2);
  EXPECT_LT(fusion.shifts[0], 0);
  EXPECT_GT(fusion.shifts[0], -1.5);
}

TEST(LabelFrequencies, AreLogarithmsOfCountsAroundTheMeanOfTheLevel) {
  // Of four documents three have label 0, one has label 1 and none label 2; label 3 is alone on its
  // level. ln 4, ln 2 and ln 1 have the mean ln 2.
  const std::vector<std::size_t> offsets = {0, 1, 3, 4, 4};
  const std::vector<std::int32_t> labels = {0, 0, 1, 0};
  const std::vector<std::int32_t> levels = {0, 3, 4};
  const std::vector<float> frequencies = label_frequencies({offsets, labels}, levels);
  ASSERT_EQ(frequencies.size(), 4U);
  EXPECT_NEAR(frequencies[0], std::log(2.0), 1e-6);
  EXPECT_NEAR(frequencies[1], 0, 1e-6);
  EXPECT_NEAR(frequencies[2], -std::log(2.0), 1e-6);
  EXPECT_EQ(frequencies[3], 0);
}

/// Two labels of one level and two classifiers, of which the first is right about label 0 and the
/// second about label 1; what they say of the other label has nothing to do with the truth.
struct EachKnowsOne {
  EachKnowsOne() {
    for (int i = 0; i < 400; ++i) {
      const auto said = [](bool yes) { return yes ? 0.9F : 0.1F; };
      const bool has_first = i % 2 == 0;
      const bool has_second = i % 4 < 2;
      const bool guess = i % 8 < 4;
      first.values.insert(first.values.end(), {said(has_first), said(guess)});
      second.values.insert(second.values.end(), {said(guess), said(has_second)});
      if (has_first) labels.push_back(0);
      if (has_second) labels.push_back(1);
      offsets.push_back(labels.size());
    }
  }

  Fusion fit(std::span<const float> frequencies) const {
    return fit_fusion({first.matrix(), second.matrix()}, {offsets, labels}, one_level,
                      std::vector<float>{0.5F, 0.5F}, frequencies);
  }

  std::vector<std::int32_t> one_level = {0, 2};
  Scores first;
  Scores second;
  std::vector<std::size_t> offsets = {0};
  std::vector<std::int32_t> labels;
};

TEST(FitFusion, WithoutFrequenciesTheLabelsOfALevelShareTheirWeights) {
  const Fusion fusion = EachKnowsOne().fit({});
  ASSERT_EQ(fusion.num_labels(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(fusion.weights_of(0)[i], fusion.weights_of(1)[i]);
    EXPECT_GT(fusion.weights_of(0)[i], 0.3);
  }
  EXPECT_EQ(fusion.shifts[0], fusion.shifts[1]);
}

TEST(FitFusion, WithFrequenciesRareLabelsMayTrustAnotherClassifierThanFrequentOnes) {
  const Fusion fusion = EachKnowsOne().fit(std::vector<float>{1.5F, -1.5F});
  EXPECT_GT(fusion.weights_of(0)[0], 4 * std::abs(fusion.weights_of(0)[1]));
  EXPECT_GT(fusion.weights_of(1)[1], 4 * std::abs(fusion.weights_of(1)[0]));
}

}  // namespace
}  // namespace hmtc
