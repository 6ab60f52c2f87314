#include "explain/explainer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "explain/linear_model.h"
#include "explain/linear_words.h"
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

TEST(LinearWords, APairSharesItsPartBetweenItsWords) {
  // Words 2, 3, 4; the pair (2, 3) is column 5. idf: 1 for words, 2 for the pair. The document
  // 2 3 4 2 3 has the values 1 1 1 2 over sqrt(7). One label: word 3 weighs 1, the pair 3.
  LoadedLinear linear{
      {{0, 0, 0, 1, 0, 3}, {0}, 1},
      TfIdf({1, 1, 1, 1, 1, 2}, {TfIdfOptions::TermFrequency::kBinary, 1}, {WordPair{2, 3}})};
  const std::vector<std::int32_t> words = {2, 3, 4, 2, 3};
  const LabelId label[] = {0};
  const std::vector<float> weights = linear_words(linear, words, label).front();
  const float scale = 1 / std::sqrt(7.0F);
  const float pair = 2 * scale * 3 / 4;  // at two places two words each
  const float three = scale * 1 / 2;     // at two places
  ASSERT_EQ(weights.size(), 5U);
  EXPECT_NEAR(weights[0], pair, 1e-6);
  EXPECT_NEAR(weights[1], pair + three, 1e-6);
  EXPECT_NEAR(weights[2], 0, 1e-6);
  EXPECT_NEAR(weights[4], pair + three, 1e-6);
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

TEST_F(ExplainLinear, MoreWeightsThanAllowedAreRefused) {
  ExplainOptions options{.labels = {"a", "b"}, .most_weights = 4};
  EXPECT_EQ(explain("tea, milk", options).labels.size(), 2U);
  EXPECT_THROW(explain("tea, milk; bread", options), TooManyWeights);
  options.most_weights = 0;
  EXPECT_EQ(explain("tea, milk; bread", options).labels.size(), 2U);
}

/// A network and the linear model of KnownLinearScorer, fused by these weights.
class FusedScorer : public KnownLinearScorer {
 public:
  FusedScorer(const Vocabulary& vocabulary, Fusion fusion)
      : KnownLinearScorer(vocabulary), fusion_(std::move(fusion)) {}

  ScorerParts parts() const override {
    ScorerParts parts = KnownLinearScorer::parts();
    parts.fusion = &fusion_;
    return parts;
  }

 private:
  Fusion fusion_;
};

/// Label a of the document "tea".
template <typename KnownScorer>
LabelExplanation tea_explained_by() {
  LoadedModel model = linear_model();
  model.scorer = std::make_unique<KnownScorer>(model.vocabulary);
  Document document;
  document.text = "tea";
  return Explainer(model).explain(document, {.labels = {"a"}}).labels.at(0);
}

/// One classifier with the logit 2: fused = sigmoid(0.5 * 2 + 0.25 z + 0.5), z the linear model's.
class OneClassifierScorer : public FusedScorer {
 public:
  explicit OneClassifierScorer(const Vocabulary& vocabulary)
      : FusedScorer(vocabulary, {{0.5F, 0.25F}, {0.5F}}) {}

  ScoreSet score(const Corpus& corpus, std::optional<int> threads) const override {
    ScoreSet set = KnownLinearScorer::score(corpus, threads);
    set.wide = set.combined;
    for (float& score : set.combined) {
      const float z = std::log(score / (1 - score));
      score = 1 / (1 + std::exp(-(0.5F * 2 + 0.25F * z + 0.5F)));
    }
    return set;
  }
};

TEST(ExplainFused, TheLinearPartIsToldInLogitsOfTheFusedScore) {
  const LabelExplanation label = tea_explained_by<OneClassifierScorer>();
  // The linear logit of "tea" is 3 - 1 = 2: it adds 0.25 * 2, the network 0.5 * 2.
  ASSERT_TRUE(label.linear && label.linear_share);
  EXPECT_NEAR(*label.linear, 1 / (1 + std::exp(-2.0)), 1e-5);
  EXPECT_NEAR(*label.linear_share, 0.5 / 1.5, 1e-5);
  ASSERT_EQ(label.votes.size(), 3U);
  EXPECT_STREQ(label.votes[0].name, "network");
  EXPECT_NEAR(label.votes[0].number, 1, 1e-5);
  EXPECT_STREQ(label.votes[1].name, "linear");
  EXPECT_NEAR(label.votes[1].number, 0.5, 1e-5);
  EXPECT_STREQ(label.votes[2].name, "shift");
  EXPECT_NEAR(label.votes[2].number, 0.5, 1e-5);
  ASSERT_EQ(label.linear_weights.size(), 1U);
  EXPECT_NEAR(label.linear_weights[0], 0.25 * 3, 1e-5);
}

/// Two classifiers that say 0.75 and 0.1: the fused logit is 2 ln 3 + 3 ln(1/9) + 0.25 z + 0.5.
class TwoClassifierScorer : public FusedScorer {
 public:
  explicit TwoClassifierScorer(const Vocabulary& vocabulary)
      : FusedScorer(vocabulary, {{2, 3, 0.25F}, {0.5F}}) {}

  ScoreSet score(const Corpus& corpus, std::optional<int> threads) const override {
    ScoreSet set = KnownLinearScorer::score(corpus, threads);
    set.wide = set.combined;
    set.local.assign(set.combined.size(), 0.75F);
    set.global.assign(set.combined.size(), 0.1F);
    return set;
  }
};

TEST(ExplainFused, EachClassifierVotesWithItsOwnWeight) {
  const auto votes = tea_explained_by<TwoClassifierScorer>().votes;
  const std::vector<std::pair<std::string, double>> expected = {
      {"local", 2 * std::log(3)}, {"global", -3 * std::log(9)}, {"linear", 0.5}, {"shift", 0.5}};
  ASSERT_EQ(votes.size(), expected.size());
  for (std::size_t i = 0; i < votes.size(); ++i) {
    EXPECT_EQ(votes[i].name, expected[i].first);
    EXPECT_NEAR(votes[i].number, expected[i].second, 1e-5) << votes[i].name;
  }
}

TEST(ExplainLevels, ALabelOfAnotherLevelThanTheOneAskedForIsRefused) {
  LoadedModel model = linear_model();
  model.hierarchy = Hierarchy(std::vector<HierarchyEdge>{{"a", "", "", {}}, {"b", "a", "", {}}});
  Explainer explainer(model);
  Document document;
  document.text = "tea";
  expect_error(ErrorKind::kUsage, {"labels of level 2", "\"a\" of level 1"}, [&] {
    explainer.explain(document, {.labels = {"b", "a"}, .level = 2});
  });
  EXPECT_EQ(explainer.explain(document, {.labels = {"b"}, .level = 2}).labels.size(), 1U);
}

TEST_F(ExplainLinear, AllScoresOnRequest) {
  EXPECT_TRUE(explain("tea").scores.empty());
  const Explanation explanation = explain("tea", {.all_scores = true});
  ASSERT_EQ(explanation.scores.size(), 2U);
  EXPECT_EQ(explanation.scores[1].first, "b");
}

}  // namespace
}  // namespace hmtc
