#include "explain/word_variants.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/logistic.h"
#include "explain/explainer.h"

namespace hmtc {
namespace {

enum class Reads { kWhatANetworkReads, kAll };

/// Labels a and b over words 2, 3, 4: the logit of a label is the sum of its words' weights, and
/// less by 10 for a where the words 3 and 4 are both there. It remembers how much it was asked.
class SumScorer : public Scorer {
 public:
  explicit SumScorer(Reads reads) : reads_(reads) {}

  ScoreSet score(const Corpus& corpus, std::optional<int>) const override {
    static const std::map<std::int32_t, std::pair<float, float>> kWeights = {
        {2, {1, -2}}, {3, {0.5F, 0}}, {4, {-0.25F, 3}}};
    ScoreSet set{corpus.size(), 2, {}, {}, {}, {}};
    for (std::size_t i = 0; i < corpus.size(); ++i) {
      float a = 0, b = 0;
      bool has_three = false, has_four = false;
      const std::size_t begin = corpus.word_offsets[i];
      const std::size_t count =
          reads_ == Reads::kAll ? corpus.word_offsets[i + 1] - begin : corpus.words_of(i).size();
      for (const std::int32_t word : std::span(corpus.words).subspan(begin, count)) {
        a += kWeights.at(word).first;
        b += kWeights.at(word).second;
        has_three = has_three || word == 3;
        has_four = has_four || word == 4;
      }
      if (has_three && has_four) a -= 10;
      set.combined.push_back(sigmoid(a));
      set.combined.push_back(sigmoid(b));
    }
    most_documents_ = std::max(most_documents_, corpus.size());
    return set;
  }

  std::size_t most_documents() const { return most_documents_; }

 private:
  Reads reads_;
  mutable std::size_t most_documents_ = 0;  // these tests have one thread
};

LoadedModel sum_model(Reads reads = Reads::kWhatANetworkReads) {
  VocabularyBuilder builder;
  for (const char* word : {"two", "three", "four"}) builder.add(word);
  return {Config{},
          Hierarchy(std::vector<HierarchyEdge>{{"a", "", "", {}}, {"b", "", "", {}}}),
          builder.build(1, 0),
          {0.5F, {0.5F, 0.5F}},
          std::make_unique<SumScorer>(reads),
          1};
}

constexpr LabelId kBoth[] = {0, 1};

TEST(WordVariants, NoWordsMakeAVariantToo) {
  Corpus corpus;
  append_some({{}, {}}, all_words(0), corpus);
  ASSERT_EQ(corpus.size(), 1U);
  EXPECT_TRUE(corpus.words_of(0).empty());
  EXPECT_TRUE(corpus.sentences_of(0).empty());
}

TEST(WordVariants, SentencesLoseTheirWordsAndGoWhenNoneIsLeft) {
  const ReadDocument document{{5, 6, 7, 8, 9, 10}, {2, 1, 3}};  // 5 6 | 7 | 8 9 10
  const auto expect_variant = [&](const WordNumbers& numbers,
                                  const std::vector<std::int32_t>& words,
                                  const std::vector<std::int32_t>& sentences) {
    Corpus corpus;
    append_some(document, numbers, corpus);
    const auto found = corpus.words_of(0);
    const auto found_sentences = corpus.sentences_of(0);
    EXPECT_EQ(std::vector(found.begin(), found.end()), words);
    EXPECT_EQ(std::vector(found_sentences.begin(), found_sentences.end()), sentences);
  };
  expect_variant(all_words(6), {5, 6, 7, 8, 9, 10}, {2, 1, 3});
  expect_variant({0, 1, 3, 4, 5}, {5, 6, 8, 9, 10}, {2, 3});
  expect_variant({1, 2, 5}, {6, 7, 10}, {1, 1, 1});
  expect_variant({4}, {9}, {1});
  expect_variant({}, {}, {});
}

TEST(WordVariants, WithoutSentencesNoneAreMade) {
  Corpus corpus;
  append_some({{5, 6, 7}, {}}, {0, 2}, corpus);
  EXPECT_EQ(corpus.words_of(0).size(), 2U);
  EXPECT_TRUE(corpus.sentences_of(0).empty());
}

TEST(WordVariants, ScoresComeInTheOrderOfTheVariantsAFewAtATime) {
  const LoadedModel model = sum_model();
  const ReadDocument document{{2, 3}, {}};
  VariantScores variants(model, document, kBoth);
  constexpr std::size_t kCount = 1300;
  for (std::size_t i = 0; i < kCount; ++i) {
    variants.add(i % 3 == 0 ? WordNumbers{0, 1} : WordNumbers{i % 2});
  }
  const std::vector<float> scores = variants.take();
  ASSERT_EQ(scores.size(), 2 * kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    const float of_a = i % 3 == 0 ? 1.5F : i % 2 == 0 ? 1.0F : 0.5F;
    EXPECT_FLOAT_EQ(scores[2 * i], sigmoid(of_a)) << i;
  }
  EXPECT_LE(dynamic_cast<const SumScorer&>(*model.scorer).most_documents(), 512U);
  EXPECT_TRUE(variants.take().empty());
}

TEST(WordVariants, ScoresAreThoseOfTheAskedLabelsInTheirOrder) {
  const LoadedModel model = sum_model();
  const ReadDocument document{{2}, {}};
  const LabelId labels[] = {1, 0, 1};
  VariantScores variants(model, document, labels);
  variants.add({0});
  const std::vector<float> scores = variants.take();
  ASSERT_EQ(scores.size(), 3U);
  EXPECT_FLOAT_EQ(scores[0], sigmoid(-2));
  EXPECT_FLOAT_EQ(scores[1], sigmoid(1));
  EXPECT_FLOAT_EQ(scores[2], sigmoid(-2));
}

TEST(LeaveOneOut, ADocumentWithoutWordsHasNoWeights) {
  const auto weights = leave_one_out(sum_model(), {{}, {}}, kBoth);
  ASSERT_EQ(weights.size(), 2U);
  EXPECT_TRUE(weights[0].empty());
  EXPECT_TRUE(weights[1].empty());
}

TEST(LeaveOneOut, OfASumEachWordLosesItsOwnTerm) {
  const auto weights = leave_one_out(sum_model(), {{2, 3, 2}, {}}, kBoth);
  ASSERT_EQ(weights.size(), 2U);
  const std::vector<float> a = {1, 0.5F, 1}, b = {-2, 0, -2};
  for (std::size_t word = 0; word < 3; ++word) {
    EXPECT_NEAR(weights[0][word], a[word], 1e-4);
    EXPECT_NEAR(weights[1][word], b[word], 1e-4);
  }
}

TEST(LeaveOneOut, WordsThatOnlyTogetherSpeakAgainstALabelEachLoseAllOfIt) {
  // a of 2 3 4: 1 + 0.5 - 0.25 - 10 = -8.75. Without 2: -9.75; without 3: 0.75; without 4: 1.5.
  const auto weights = leave_one_out(sum_model(), {{2, 3, 4}, {}}, kBoth);
  EXPECT_NEAR(weights[0][0], 1, 1e-3);
  EXPECT_NEAR(weights[0][1], -9.5, 1e-3);
  EXPECT_NEAR(weights[0][2], -10.25, 1e-3);
  // b: -2 + 0 + 3 = 1; without 2: 3; without 4: -2.
  EXPECT_NEAR(weights[1][0], -2, 1e-3);
  EXPECT_NEAR(weights[1][1], 0, 1e-3);
  EXPECT_NEAR(weights[1][2], 3, 1e-3);
}

TEST(LeaveOneOut, OnlyTheAskedLabelsAreThere) {
  const LabelId labels[] = {1};
  const auto weights = leave_one_out(sum_model(), {{4, 2}, {}}, labels);
  ASSERT_EQ(weights.size(), 1U);
  EXPECT_NEAR(weights[0][0], 3, 1e-4);
  EXPECT_NEAR(weights[0][1], -2, 1e-4);
}

/// What the explainer says of label a in a document of the words 2, 3 and 4, of which the network
/// reads two.
std::vector<float> explained_with_two_words(LoadedModel model) {
  model.config.train.max_words = 2;
  Explainer explainer(model);
  EXPECT_TRUE(explainer.has(WordMethod::kLeaveOneOut));
  Corpus corpus;
  corpus.max_words = 2;
  corpus.append("one", std::vector<std::int32_t>{2, 3, 4}, {});
  return explainer.word_weights(WordMethod::kLeaveOneOut, corpus, 0, kBoth).at(0);
}

TEST(LeaveOneOut, AWordThatGoesMakesRoomForTheNext) {
  // The network reads 2 3: 1.5. Without 2 it reads 3 4: -9.75; without 3 2 4: 0.75; without 4 2 3.
  const std::vector<float> weights = explained_with_two_words(sum_model());
  ASSERT_EQ(weights.size(), 3U);
  EXPECT_NEAR(weights[0], 11.25, 1e-3);
  EXPECT_NEAR(weights[1], 0.75, 1e-3);
  EXPECT_EQ(weights[2], 0);
}

TEST(LeaveOneOut, WordsThatOnlyALinearPartReadsCountToo) {
  // All three: -8.75. Without 2: -9.75; without 3: 0.75; without 4: 1.5.
  const std::vector<float> weights = explained_with_two_words(sum_model(Reads::kAll));
  ASSERT_EQ(weights.size(), 3U);
  EXPECT_NEAR(weights[0], 1, 1e-3);
  EXPECT_NEAR(weights[1], -9.5, 1e-3);
  EXPECT_NEAR(weights[2], -10.25, 1e-3);
}

}  // namespace
}  // namespace hmtc
