#include "explain/linear_words.h"

#include <map>

namespace hmtc {
namespace {

/// A feature of a document and the words that make it up, wherever it occurs.
struct PlacedFeature {
  std::size_t column = 0;
  float value = 0;
  std::vector<std::size_t> words;  ///< their numbers in the document; a pair has two a place
};

std::vector<PlacedFeature> placed_features(const TfIdf& tf_idf,
                                           std::span<const std::int32_t> words) {
  const std::size_t offsets[] = {0, words.size()};
  const SparseMatrix matrix = tf_idf.transform({offsets, words});
  const SparseRow row = matrix.row(0);
  std::vector<PlacedFeature> features(row.size());
  std::map<std::int32_t, PlacedFeature*> of_word;
  std::map<WordPair, PlacedFeature*> of_pair;
  for (std::size_t i = 0; i < row.size(); ++i) {
    features[i].column = static_cast<std::size_t>(row.columns[i]);
    features[i].value = row.values[i];
    if (features[i].column < tf_idf.vocabulary_size()) {
      of_word[row.columns[i]] = &features[i];
    } else {
      of_pair[tf_idf.pairs()[features[i].column - tf_idf.vocabulary_size()]] = &features[i];
    }
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (const auto found = of_word.find(words[i]); found != of_word.end()) {
      found->second->words.push_back(i);
    }
    if (i == 0) continue;
    if (const auto found = of_pair.find({words[i - 1], words[i]}); found != of_pair.end()) {
      found->second->words.insert(found->second->words.end(), {i - 1, i});
    }
  }
  return features;
}

}  // namespace

std::vector<std::vector<float>> linear_words(const LoadedLinear& linear,
                                             std::span<const std::int32_t> words,
                                             std::span<const LabelId> labels) {
  const std::vector<PlacedFeature> features = placed_features(linear.tf_idf, words);
  const std::size_t num_labels = linear.model.num_labels();
  std::vector<std::vector<float>> weights;
  for (const LabelId label : labels) {
    std::vector<float>& of_label = weights.emplace_back(words.size(), 0.0F);
    for (const PlacedFeature& feature : features) {
      const float part =
          feature.value *
          linear.model.weights[feature.column * num_labels + static_cast<std::size_t>(label)];
      for (const std::size_t word : feature.words) {
        of_label[word] += part / static_cast<float>(feature.words.size());
      }
    }
  }
  return weights;
}

}  // namespace hmtc
