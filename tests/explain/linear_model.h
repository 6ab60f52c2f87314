#pragma once

#include "predict/loaded_model.h"

namespace hmtc {

/// A linear model with known coefficients. Labels a and b, threshold 0.5; words: tea and milk speak
/// for a (3 and 1), bread for b (2), "the" for nothing; each bias is -1. Every idf is 1, term
/// frequency is binary, so that each of n different words has the value 1/sqrt(n).
inline LoadedLinear tea_or_bread(const Vocabulary& vocabulary) {
  const auto size = vocabulary.size();
  LoadedLinear linear{
      {std::vector<float>(size * 2), {-1, -1}, 1},
      TfIdf(std::vector<float>(size, 1.0F), {TfIdfOptions::TermFrequency::kBinary})};
  const auto set = [&](const char* word, std::size_t label, float weight) {
    linear.model.weights[static_cast<std::size_t>(vocabulary.find(word)) * 2 + label] = weight;
  };
  set("tea", 0, 3);
  set("milk", 0, 1);
  set("bread", 1, 2);
  return linear;
}

class KnownLinearScorer : public Scorer {
 public:
  explicit KnownLinearScorer(const Vocabulary& vocabulary) : linear_(tea_or_bread(vocabulary)) {}

  ScoreSet score(const Corpus& corpus, std::optional<int>) const override {
    ScoreSet set{corpus.size(), 2, std::vector<float>(corpus.size() * 2), {}, {}, {}};
    hmtc::score(linear_.model, linear_.tf_idf.transform({corpus.word_offsets, corpus.words}),
                set.combined, 1);
    return set;
  }
  ScorerParts parts() const override { return {.linear = &linear_}; }

 private:
  LoadedLinear linear_;
};

inline LoadedModel linear_model() {
  VocabularyBuilder builder;
  for (const char* word : {"tea", "milk", "bread", "the"}) builder.add(word);
  Vocabulary vocabulary = builder.build(1, 0);
  auto scorer = std::make_unique<KnownLinearScorer>(vocabulary);
  Config config;
  config.model.name = "linear";
  return {config,
          Hierarchy(std::vector<HierarchyEdge>{{"a", "", "drinks", {}}, {"b", "", "", {}}}),
          std::move(vocabulary),
          {0.5F, {0.5F, 0.5F}},
          std::move(scorer),
          1};
}

}  // namespace hmtc
