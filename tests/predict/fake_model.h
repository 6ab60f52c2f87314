#pragma once

#include <map>
#include <vector>

#include "predict/loaded_model.h"

namespace hmtc {

/// Gives each document the scores that stand for its first word; documents without one score 0.
class FakeScorer : public Scorer {
 public:
  FakeScorer(std::size_t num_labels, std::map<std::int32_t, std::vector<float>> scores)
      : num_labels_(num_labels), scores_(std::move(scores)) {}

  ScoreSet score(const Corpus& corpus, std::optional<int>) const override {
    ScoreSet set{corpus.size(), num_labels_, {}, {}, {}, {}};
    for (std::size_t i = 0; i < corpus.size(); ++i) {
      const auto words = corpus.words_of(i);
      const auto found = words.empty() ? scores_.end() : scores_.find(words[0]);
      const std::vector<float> row =
          found == scores_.end() ? std::vector<float>(num_labels_) : found->second;
      set.combined.insert(set.combined.end(), row.begin(), row.end());
    }
    return set;
  }

 private:
  std::size_t num_labels_;
  std::map<std::int32_t, std::vector<float>> scores_;
};

/// Labels a, b over a1; words with the scores (a, b, a1):
///   one 0.9 0.2 0.6      two 0.1 0.8 0.3 (a1 above its parent)      tie 0.5 0.5 0.5
/// Threshold 0.5.
inline LoadedModel fake_model() {
  Hierarchy hierarchy(
      std::vector<HierarchyEdge>{{"a", "", "", {}}, {"b", "", "", {}}, {"a1", "a", "", {}}});
  VocabularyBuilder builder;
  for (const char* word : {"one", "two", "tie"}) builder.add(word);
  Vocabulary vocabulary = builder.build(1, 0);
  auto scorer = std::make_unique<FakeScorer>(
      3, std::map<std::int32_t, std::vector<float>>{{vocabulary.find("one"), {0.9F, 0.2F, 0.6F}},
                                                    {vocabulary.find("two"), {0.1F, 0.8F, 0.3F}},
                                                    {vocabulary.find("tie"), {0.5F, 0.5F, 0.5F}}});
  return {Config{},
          std::move(hierarchy),
          std::move(vocabulary),
          {0.5F, {0.5F, 0.5F, 0.5F}},
          std::move(scorer),
          1};
}

}  // namespace hmtc
