#include "explain/network_words.h"

#include <gtest/gtest.h>

#include <numeric>

#include "model/model_table.h"
#include "support/tiny_model.h"

namespace hmtc {
namespace {

using Members = std::vector<std::shared_ptr<Model>>;

/// Levels of two and three labels, twenty words.
std::shared_ptr<Model> make(const std::string& name, std::uint64_t seed = 3,
                            EncoderKind encoder = EncoderKind::kEmbedding) {
  Config config = tiny_config({Profile::kReference, encoder, ""});
  config.model.name = name;
  torch::manual_seed(seed);
  auto model = make_model(config, tree_of({2, 3}), 20);
  model->eval();
  return model;
}

const Corpus kCorpus = corpus_of({{}, {4, 5, 6, 7, 4}});
const std::vector<LabelId> kAll = {0, 1, 2, 3, 4};

double sum_of(const std::vector<float>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

TEST(NetworkWords, ADocumentWithoutWordsHasNoWeights) {
  const Members la_hcn = {make("la-hcn")};
  for (const auto& row : attention_words(la_hcn, kCorpus, 0, kAll).attention) {
    EXPECT_TRUE(row.empty());
  }
  const Members flat = {make("flat")};
  for (const auto& row : gradient_words(flat, kCorpus, 0, kAll)) EXPECT_TRUE(row.empty());
}

TEST(NetworkWords, AttentionOfEveryLabelSumsToOne) {
  for (const char* name : {"la-hcn", "la-hcn-nc", "la-hcn-l", "la-hcn-g", "harnn", "han"}) {
    const Members members = {make(name)};
    const WordWeights weights = attention_words(members, kCorpus, 1, kAll).attention;
    ASSERT_EQ(weights.size(), kAll.size()) << name;
    for (const auto& row : weights) {
      ASSERT_EQ(row.size(), 5U) << name;
      EXPECT_NEAR(sum_of(row), 1, 1e-5) << name;
    }
  }
}

TEST(NetworkWords, OnlyLaHcnTellsTheLabelsOfALevelApart) {
  const auto weights = [](const char* name) {
    const Members members = {make(name)};
    return attention_words(members, kCorpus, 1, kAll).attention;
  };
  EXPECT_NE(weights("la-hcn")[2], weights("la-hcn")[3]);
  EXPECT_EQ(weights("harnn")[2], weights("harnn")[3]);
  EXPECT_NE(weights("harnn")[1], weights("harnn")[2]);  // of another level
  EXPECT_EQ(weights("han")[1], weights("han")[2]);
}

TEST(NetworkWords, EvidenceAddsUpToTheLocalLogitWithoutItsBias) {
  const Members members = {make("la-hcn")};
  const WordWeights evidence = attention_words(members, kCorpus, 1, kAll).evidence;
  const std::size_t documents[] = {1};
  const auto logits =
      torch::logit(members.front()->scores(make_word_batch(kCorpus, documents)).local);
  const auto parameters = members.front()->named_parameters();
  const auto bias = torch::cat({parameters["level_1.b_loc"], parameters["level_2.b_loc"]});
  for (const LabelId label : kAll) {
    EXPECT_NEAR(sum_of(evidence[static_cast<std::size_t>(label)]),
                (logits[0][label] - bias[label]).item<double>(), 1e-4);
  }
  const Members global = {make("la-hcn-g")};  // whose local classifier has no say
  EXPECT_TRUE(attention_words(global, kCorpus, 1, kAll).evidence.empty());
}

TEST(NetworkWords, ModelsWithoutAttentionHaveNone) {
  for (const char* name : {"flat", "hmcn-f", "hmcn-r", "capsule"}) {
    const Members members = {make(name)};
    EXPECT_TRUE(attention_words(members, kCorpus, 1, kAll).attention.empty()) << name;
  }
}

TEST(NetworkWords, GradientsOfALinearNetworkAddUpToTheLogitWithoutItsBias) {
  // flat over an embedding: logit = w . mean(vectors) + b, so that gradient times vector is each
  // word's part of the first term.
  const Members members = {make("flat")};
  Model& model = *members.front();
  const WordWeights weights = gradient_words(members, kCorpus, 1, kAll);
  const std::size_t documents[] = {1};
  const auto logits = torch::logit(model.scores(make_word_batch(kCorpus, documents)).combined);
  torch::Tensor bias;
  for (const auto& parameter : model.named_parameters()) {
    if (parameter.key().ends_with("bias")) bias = parameter.value();
  }
  for (const LabelId label : kAll) {
    EXPECT_NEAR(sum_of(weights[static_cast<std::size_t>(label)]),
                (logits[0][label] - bias[label]).item<double>(), 1e-4);
  }
  EXPECT_NEAR(weights[0][0], weights[0][4], 1e-6);  // the same word
}

TEST(NetworkWords, GradientsReachThroughEveryModelAlsoWhenItIsPreparedForPrediction) {
  for (const std::string& name : neural_model_names()) {
    const auto encoder = name == "han" ? EncoderKind::kEmbedding : EncoderKind::kBiLstm;
    const Members fresh = {make(name, 3, encoder)}, prepared = {make(name, 3, encoder)};
    prepared.front()->prepare_for_prediction();
    const WordWeights expected = gradient_words(fresh, kCorpus, 1, kAll);
    const WordWeights weights = gradient_words(prepared, kCorpus, 1, kAll);
    double amount = 0;
    for (std::size_t label = 0; label < kAll.size(); ++label) {
      for (std::size_t word = 0; word < 5; ++word) {
        EXPECT_NEAR(weights[label][word], expected[label][word], 1e-5) << name;
        amount += std::abs(weights[label][word]);
      }
    }
    EXPECT_GT(amount, 1e-4) << name;
  }
}

TEST(NetworkWords, AnEnsembleGivesTheMean) {
  const Members one = {make("la-hcn", 1)}, other = {make("la-hcn", 2)};
  const Members both = {one.front(), other.front()};
  const float a = attention_words(one, kCorpus, 1, kAll).attention[3][1];
  const float b = attention_words(other, kCorpus, 1, kAll).attention[3][1];
  EXPECT_NEAR(attention_words(both, kCorpus, 1, kAll).attention[3][1], (a + b) / 2, 1e-6);
}

TEST(NetworkWords, ComponentsAreThereForEachLevel) {
  const Members members = {make("la-hcn")};
  const auto levels = attention_words(members, kCorpus, 1, {}).components;
  ASSERT_EQ(levels.size(), 2U);
  EXPECT_EQ(levels[1].num_components, 3U);
  EXPECT_EQ(levels[1].relevance.size(), 5U * 3);    // words
  EXPECT_EQ(levels[1].association.size(), 3U * 3);  // labels of the level
  const Members without = {make("la-hcn-nc")};
  EXPECT_TRUE(attention_words(without, kCorpus, 1, {}).components.empty());
}

}  // namespace
}  // namespace hmtc
