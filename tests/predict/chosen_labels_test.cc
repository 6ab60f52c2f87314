#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/fake_model.h"
#include "predict/predict_stream.h"

namespace hmtc {
namespace {

using testing::ElementsAre;

std::vector<std::string> chosen(std::vector<float> scores, const PredictOptions& options) {
  const LoadedModel model = fake_model();
  std::vector<std::string> names;
  for (const LabelScore& label : chosen_labels(model, scores, options)) {
    names.push_back(label.label);
  }
  return names;
}

TEST(ChosenLabels, NoneWhereNoneReachesTheThreshold) {
  EXPECT_TRUE(chosen({0.1F, 0.2F, 0.3F}, {}).empty());
}

TEST(ChosenLabels, TheTunedThresholdHoldsAndTheBestComesFirst) {
  EXPECT_THAT(chosen({0.6F, 0.4F, 0.9F}, {}), ElementsAre("a1", "a"));
}

TEST(ChosenLabels, AScoreAtTheThresholdCounts) {
  EXPECT_THAT(chosen({0.5F, 0.49F, 0.1F}, {}), ElementsAre("a"));
}

TEST(ChosenLabels, AThresholdOfTheCallersOwnReplacesTheTunedOne) {
  EXPECT_THAT(chosen({0.6F, 0.4F, 0.9F}, {.threshold = 0.7, .top = {}}), ElementsAre("a1"));
  EXPECT_THAT(chosen({0.6F, 0.4F, 0.9F}, {.threshold = 0.0, .top = {}}),
              ElementsAre("a1", "a", "b"));
}

TEST(ChosenLabels, TopGivesExactlySoManyHoweverLowTheyScore) {
  EXPECT_THAT(chosen({0.01F, 0.03F, 0.02F}, {.threshold = {}, .top = 2}), ElementsAre("b", "a1"));
  EXPECT_THAT(chosen({0.01F, 0.03F, 0.02F}, {.threshold = {}, .top = 9}),
              ElementsAre("b", "a1", "a"));
  EXPECT_TRUE(chosen({0.9F, 0.9F, 0.9F}, {.threshold = {}, .top = 0}).empty());
}

TEST(ChosenLabels, TopAndThresholdBothHold) {
  EXPECT_THAT(chosen({0.6F, 0.4F, 0.9F}, {.threshold = 0.7, .top = 2}), ElementsAre("a1"));
  EXPECT_THAT(chosen({0.8F, 0.9F, 0.9F}, {.threshold = 0.7, .top = 2}), ElementsAre("b", "a1"));
}

TEST(ChosenLabels, OfEqualScoresTheUpperLabelComesFirst) {
  EXPECT_THAT(chosen({0.7F, 0.7F, 0.7F}, {}), ElementsAre("a", "b", "a1"));
  EXPECT_THAT(chosen({0.7F, 0.7F, 0.7F}, {.threshold = {}, .top = 1}), ElementsAre("a"));
}

}  // namespace
}  // namespace hmtc
