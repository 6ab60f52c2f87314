#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hmtc {

/// What the words and labels of a corpus have to do with the components of one level. C components,
/// V words of the vocabulary.
class ComponentSums {
 public:
  /// `association`: labels of the level x components, row by row.
  ComponentSums(std::size_t num_components, std::size_t vocabulary_size,
                std::vector<float> association);

  /// `relevance`: the places of `words` x components, row by row.
  void add_words(std::span<const float> relevance, std::span<const std::int32_t> words);
  /// A document has this label, counted from the first of the level.
  void add_label(std::size_t label_of_level);

  /// The mean association of the labels that were added; over all components it adds up to 1.
  double use(std::size_t component) const;

  /// Pearson's correlation of the relevances of two components over all places.
  double correlation(std::size_t a, std::size_t b) const;

  /// How much nearer a word is to this component than to the others, relative to other words: the
  /// mean relevance without the mean of the component and that of the word.
  double nearness(std::size_t word, std::size_t component, std::size_t occurrences) const;

  std::size_t num_components() const { return C_; }
  const std::vector<float>& association() const { return association_; }

 private:
  std::size_t C_;
  std::vector<float> association_;  // (labels of the level, C)
  std::vector<double> use_;
  std::vector<float> by_word_;  // (V, C)
  std::vector<double> sums_;
  std::vector<double> products_;  // (C, C), lower half
  std::size_t num_places_ = 0;
  std::size_t num_labels_ = 0;
};

}  // namespace hmtc
