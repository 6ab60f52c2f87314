#pragma once

#include <cstddef>
#include <limits>
#include <span>

namespace hmtc {

/// What is to be learnt of the documents of a corpus: their labels or, with a teacher, a mean of
/// these and of the probabilities that it gives, and of documents without labels these alone.
struct Targets {
  Targets(std::size_t labels, std::span<const float> teacher_scores = {}, double weight = 0,
          std::size_t labelled = std::numeric_limits<std::size_t>::max())
      : num_labels(labels),
        teacher(teacher_scores),
        teacher_weight(weight),
        num_labelled(labelled) {}

  std::size_t num_labels;
  std::span<const float> teacher;  ///< (documents of the corpus, labels), or none
  double teacher_weight;           ///< of documents with labels
  std::size_t num_labelled;        ///< the documents from there on have none
};

}  // namespace hmtc
