#include "explain/explainer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "explain/linear_model.h"
#include "support/expect_error.h"

namespace hmtc {
namespace {

class ExplainLinear : public testing::Test {
 protected:
  Explanation explain(const std::string& text, const ExplainOptions& options = {}) {
    Document document;
    document.text = text;
    return explainer_.explain(document, options);
  }

  LoadedModel model_ = linear_model();
  Explainer explainer_{model_};
};

TEST_F(ExplainLinear, ATextWithoutWordsHasNoLabelAndNoWords) {
  const Explanation explanation = explain("");
  EXPECT_TRUE(explanation.words.empty());
  EXPECT_TRUE(explanation.labels.empty());  // both score sigmoid(-1)
}

TEST_F(ExplainLinear, AWordsWeightIsItsCoefficientTimesItsValue) {
  const Explanation explanation = explain("The tea, the TEA with milk");
  EXPECT_EQ(explanation.method, WordMethod::kCoefficient);
  // Known words the, tea, milk: value 1/sqrt(3); "with" is unknown. Tea shares its 3 by two places.
  ASSERT_EQ(explanation.labels.size(), 1U);
  const LabelExplanation& drinks = explanation.labels[0];
  EXPECT_EQ(drinks.label, "a");
  EXPECT_EQ(drinks.description, "drinks");
  EXPECT_TRUE(drinks.predicted);
  const float value = 1 / std::sqrt(3.0F);
  ASSERT_EQ(drinks.weights.size(), 6U);
  EXPECT_FLOAT_EQ(drinks.weights[0], 0);
  EXPECT_FLOAT_EQ(drinks.weights[1], 1.5F * value);
  EXPECT_FLOAT_EQ(drinks.weights[3], 1.5F * value);
  EXPECT_FLOAT_EQ(drinks.weights[4], 0);
  EXPECT_FLOAT_EQ(drinks.weights[5], value);
  // logit = 4/sqrt(3) - 1
  EXPECT_NEAR(drinks.score, 1 / (1 + std::exp(1 - 4 / std::sqrt(3.0))), 1e-5);
}

TEST_F(ExplainLinear, WordsCoverTheirOriginalSpelling) {
  const Explanation explanation = explain("“Tea” – für Großmütter: tea\u00ad!");
  ASSERT_EQ(explanation.words.size(), 4U);
  EXPECT_EQ(explanation.word(0), "Tea");
  EXPECT_EQ(explanation.word(1), "für");
  EXPECT_EQ(explanation.word(2), "Großmütter");
  EXPECT_EQ(explanation.word(3), "tea\u00ad");
}

TEST_F(ExplainLinear, TokensAreWordsOfTheirJoinedText) {
  Document document;
  document.tokens = {"bread", "New York", "tea"};
  const Explanation explanation = explainer_.explain(document, {});
  EXPECT_EQ(explanation.text, "bread New York tea");
  ASSERT_EQ(explanation.words.size(), 3U);
  EXPECT_EQ(explanation.word(1), "New York");
  EXPECT_EQ(explanation.word(2), "tea");
}

TEST_F(ExplainLinear, LabelsThatAreAskedForAreExplainedThoughNotPredicted) {
  const Explanation explanation = explain("tea", {.labels = {"b", "a", "b"}});
  ASSERT_EQ(explanation.labels.size(), 2U);  // the better first
  EXPECT_EQ(explanation.labels[0].label, "a");
  EXPECT_EQ(explanation.labels[1].label, "b");
  EXPECT_FALSE(explanation.labels[1].predicted);
}

TEST_F(ExplainLinear, UnknownLabelsAndLevelsAreRefused) {
  expect_error(ErrorKind::kUsage, {"\"c\""}, [&] { explain("tea", {.labels = {"c"}}); });
  expect_error(ErrorKind::kUsage, {"1 to 1", "2"}, [&] { explain("tea", {.level = 2}); });
}

TEST_F(ExplainLinear, AllScoresOnRequest) {
  EXPECT_TRUE(explain("tea").scores.empty());
  const Explanation explanation = explain("tea", {.all_scores = true});
  ASSERT_EQ(explanation.scores.size(), 2U);
  EXPECT_EQ(explanation.scores[1].first, "b");
}

}  // namespace
}  // namespace hmtc
