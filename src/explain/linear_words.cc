#include "explain/linear_words.h"

#include <unordered_map>

namespace hmtc {

std::vector<std::vector<float>> linear_words(const LoadedLinear& linear,
                                             std::span<const std::int32_t> words,
                                             std::span<const LabelId> labels) {
  const std::size_t offsets[] = {0, words.size()};
  const SparseMatrix features = linear.tf_idf.transform({offsets, words});
  const SparseRow row = features.row(0);
  std::unordered_map<std::int32_t, float> occurrences;
  for (const std::int32_t word : words) occurrences[word] += 1;
  std::unordered_map<std::int32_t, float> value_at_each_place;
  for (std::size_t i = 0; i < row.size(); ++i) {
    value_at_each_place[row.columns[i]] = row.values[i] / occurrences[row.columns[i]];
  }
  std::vector<std::vector<float>> weights;
  for (const LabelId label : labels) {
    std::vector<float>& of_label = weights.emplace_back(words.size(), 0.0F);
    for (std::size_t i = 0; i < words.size(); ++i) {
      const auto value = value_at_each_place.find(words[i]);
      if (value == value_at_each_place.end()) continue;
      const auto place = static_cast<std::size_t>(words[i]) * linear.model.num_labels();
      of_label[i] = value->second * linear.model.weights[place + static_cast<std::size_t>(label)];
    }
  }
  return weights;
}

}  // namespace hmtc
