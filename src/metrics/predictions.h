#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace hmtc {

// Views of arrays that the caller owns; what all metrics read. Label ids run from 0, level by
// level, and a parent's id is smaller than those of its children.

/// A ratio without a denominator, or a mean of nothing: never 0, which would look like a result.
inline constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

/// Scores row by row, one row per document: (documents, labels).
struct ScoreMatrix {
  std::span<const float> scores;
  std::size_t num_documents = 0;
  std::size_t num_labels = 0;

  std::span<const float> row(std::size_t document) const {
    return scores.subspan(document * num_labels, num_labels);
  }
};

/// One set of label ids per row, sorted, each once: labels[offsets[row]] to
/// labels[offsets[row + 1]]. As truth a row is a document and its set includes all ancestors; as
/// parents a row is a label.
struct LabelSets {
  std::span<const std::size_t> offsets;
  std::span<const std::int32_t> labels;

  std::size_t size() const { return offsets.empty() ? 0 : offsets.size() - 1; }
  std::span<const std::int32_t> of(std::size_t row) const {
    return labels.subspan(offsets[row], offsets[row + 1] - offsets[row]);
  }
};

/// Throws kInternal unless the sizes agree, every score is finite and every set is sorted and
/// within the labels. Every metric calls it, so that a wrong array never becomes a plausible
/// number.
void check_predictions(const ScoreMatrix& scores, const LabelSets& truth);

/// Throws kInternal unless there is one set per label and it holds smaller ids only.
void check_parents(const LabelSets& parents, std::size_t num_labels);

/// Throws kInternal unless the levels, [level_begin[h], level_begin[h + 1]), cut 0 to num_labels.
void check_levels(std::span<const std::int32_t> level_begin, std::size_t num_labels);

/// Calls visit(label, score, is_positive) for every label of a document in the order of ids.
template <typename Visit>
void visit_pairs(const ScoreMatrix& scores, const LabelSets& truth, std::size_t document,
                 const Visit& visit) {
  const std::span<const float> row = scores.row(document);
  const std::span<const std::int32_t> positives = truth.of(document);
  std::size_t next = 0;
  for (std::size_t label = 0; label < row.size(); ++label) {
    const bool is_positive =
        next < positives.size() && static_cast<std::size_t>(positives[next]) == label;
    next += is_positive ? 1 : 0;
    visit(label, row[label], is_positive);
  }
}

}  // namespace hmtc
