#include "explain/component_sums.h"

#include <algorithm>
#include <cmath>

namespace hmtc {

ComponentSums::ComponentSums(std::size_t num_components, std::size_t vocabulary_size,
                             std::vector<float> association)
    : C_(num_components),
      association_(std::move(association)),
      use_(C_, 0.0),
      by_word_(vocabulary_size * C_, 0.0F),
      sums_(C_, 0.0),
      products_(C_ * C_, 0.0) {}

void ComponentSums::add_words(std::span<const float> relevance,
                              std::span<const std::int32_t> words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const float* row = relevance.data() + i * C_;
    float* of_word = by_word_.data() + static_cast<std::size_t>(words[i]) * C_;
    for (std::size_t c = 0; c < C_; ++c) {
      of_word[c] += row[c];
      sums_[c] += static_cast<double>(row[c]);
      for (std::size_t e = 0; e <= c; ++e) {
        products_[c * C_ + e] += static_cast<double>(row[c]) * static_cast<double>(row[e]);
      }
    }
  }
  num_places_ += words.size();
}

void ComponentSums::add_label(std::size_t label_of_level) {
  for (std::size_t c = 0; c < C_; ++c) {
    use_[c] += static_cast<double>(association_[label_of_level * C_ + c]);
  }
  ++num_labels_;
}

double ComponentSums::use(std::size_t component) const {
  return num_labels_ == 0 ? 0 : use_[component] / static_cast<double>(num_labels_);
}

double ComponentSums::correlation(std::size_t a, std::size_t b) const {
  const auto n = static_cast<double>(std::max<std::size_t>(num_places_, 1));
  const auto covariance = [&](std::size_t c, std::size_t e) {
    return products_[std::max(c, e) * C_ + std::min(c, e)] / n - sums_[c] / n * (sums_[e] / n);
  };
  const double scale = std::sqrt(covariance(a, a) * covariance(b, b));
  return scale > 0 ? covariance(a, b) / scale : 0;
}

double ComponentSums::nearness(std::size_t word, std::size_t component,
                               std::size_t occurrences) const {
  const auto n = static_cast<double>(std::max<std::size_t>(num_places_, 1));
  const auto count = static_cast<double>(occurrences);
  double of_word = 0;
  for (std::size_t e = 0; e < C_; ++e) {
    of_word += static_cast<double>(by_word_[word * C_ + e]) / count - sums_[e] / n;
  }
  return static_cast<double>(by_word_[word * C_ + component]) / count - sums_[component] / n -
         of_word / static_cast<double>(C_);
}

}  // namespace hmtc
