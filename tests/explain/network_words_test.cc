#include "explain/network_words.h"

#include <gtest/gtest.h>

#include <numeric>

#include "support/golden.h"
#include "support/tiny_config.h"

namespace hmtc {
namespace {

using Members = std::vector<std::unique_ptr<const Network>>;

/// Nine labels on three levels, thirteen words: the network of a golden file.
Members make(const std::string& golden) {
  Members members;
  members.push_back(GoldenFile(golden).network());
  return members;
}

/// The same with its embedding times `factor`.
std::unique_ptr<const Network> with_embedding_times(const std::string& name, float factor) {
  GoldenFile golden(name);
  StoredTensor& embedding = golden.file.tensors.at("weights/encoder.embedding.weight");
  std::vector<float> values = float_values(embedding);
  for (float& value : values) value *= factor;
  embedding = float_tensor(embedding.shape, values.data());
  return golden.network();
}

const Corpus kCorpus = corpus_of({{}, {4, 5, 6, 7, 4}});
const std::vector<LabelId> kAll = {0, 1, 2, 3, 4, 5, 6, 7, 8};

double sum_of(const std::vector<float>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

TEST(NetworkWords, ADocumentWithoutWordsHasNoWeights) {
  const AttentionWords words = attention_words(make("la_hcn_paper"), kCorpus, 0, kAll);
  ASSERT_EQ(words.attention.size(), kAll.size());
  ASSERT_EQ(words.evidence.size(), kAll.size());
  for (const auto& row : words.attention) EXPECT_TRUE(row.empty());
  for (const auto& row : words.evidence) EXPECT_TRUE(row.empty());
  EXPECT_TRUE(attention_words(make("flat"), kCorpus, 0, kAll).attention.empty());
}

TEST(NetworkWords, AttentionOfEveryLabelSumsToOne) {
  for (const char* name : {"la_hcn_paper", "la_hcn_reference", "la_hcn_bilstm", "la_hcn_nc",
                           "la_hcn_l", "la_hcn_g", "harnn", "han"}) {
    const WordWeights weights = attention_words(make(name), kCorpus, 1, kAll).attention;
    ASSERT_EQ(weights.size(), kAll.size()) << name;
    for (const auto& row : weights) {
      ASSERT_EQ(row.size(), 5U) << name;
      EXPECT_NEAR(sum_of(row), 1, 1e-5) << name;
    }
  }
}

TEST(NetworkWords, OnlyLaHcnTellsTheLabelsOfALevelApart) {
  const auto weights = [](const char* name) {
    return attention_words(make(name), kCorpus, 1, kAll).attention;
  };
  EXPECT_NE(weights("la_hcn_reference")[2], weights("la_hcn_reference")[3]);
  EXPECT_EQ(weights("harnn")[2], weights("harnn")[3]);
  EXPECT_NE(weights("harnn")[1], weights("harnn")[2]);  // of another level
  EXPECT_EQ(weights("han")[1], weights("han")[2]);
}

TEST(NetworkWords, EvidenceIsThereWhereLocalScoresAre) {
  for (const char* name : {"la_hcn_paper", "la_hcn_reference", "la_hcn_nc", "la_hcn_l"}) {
    const WordWeights evidence = attention_words(make(name), kCorpus, 1, kAll).evidence;
    ASSERT_EQ(evidence.size(), kAll.size()) << name;
    for (const auto& row : evidence) EXPECT_EQ(row.size(), 5U) << name;
    // The same word at two places of a network that knows no order.
    EXPECT_FLOAT_EQ(evidence[0][0], evidence[0][4]) << name;
  }
  for (const char* name : {"la_hcn_g", "harnn", "han", "flat"}) {  // la_hcn_g: has no say
    EXPECT_TRUE(attention_words(make(name), kCorpus, 1, kAll).evidence.empty()) << name;
  }
}

TEST(NetworkWords, ModelsWithoutAttentionHaveNone) {
  for (const char* name : {"flat", "hmcn_f", "hmcn_r", "capsule"}) {
    EXPECT_TRUE(attention_words(make(name), kCorpus, 1, kAll).attention.empty()) << name;
  }
}

TEST(NetworkWords, AnEnsembleGivesTheMean) {
  Members both;
  both.push_back(with_embedding_times("la_hcn_reference", 1));
  both.push_back(with_embedding_times("la_hcn_reference", 3));
  const std::span<const std::unique_ptr<const Network>> all = both;
  const auto one = attention_words(all.first(1), kCorpus, 1, kAll);
  const auto other = attention_words(all.last(1), kCorpus, 1, kAll);
  const auto mean = attention_words(all, kCorpus, 1, kAll);
  ASSERT_NE(one.attention, other.attention);
  ASSERT_NE(one.evidence, other.evidence);
  for (std::size_t label = 0; label < kAll.size(); ++label) {
    for (std::size_t word = 0; word < 5; ++word) {
      EXPECT_NEAR(mean.attention[label][word],
                  (one.attention[label][word] + other.attention[label][word]) / 2, 1e-6);
      EXPECT_NEAR(mean.evidence[label][word],
                  (one.evidence[label][word] + other.evidence[label][word]) / 2, 1e-6);
    }
  }
  EXPECT_EQ(mean.components[0].relevance, one.components[0].relevance);
}

TEST(NetworkWords, ComponentsAreThereForEachLevel) {
  const auto levels = attention_words(make("la_hcn_paper"), kCorpus, 1, {}).components;
  ASSERT_EQ(levels.size(), 3U);
  EXPECT_EQ(levels[1].num_components, 3U);
  EXPECT_EQ(levels[1].relevance.size(), 5U * 3);    // words
  EXPECT_EQ(levels[1].association.size(), 4U * 3);  // labels of the level
  EXPECT_TRUE(attention_words(make("la_hcn_nc"), kCorpus, 1, {}).components.empty());
}

}  // namespace
}  // namespace hmtc
