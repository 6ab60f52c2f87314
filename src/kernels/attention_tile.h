#pragma once

#include <cstddef>
#include <vector>

#include "kernels/label_attention.h"
#include "kernels/label_rows.h"

namespace hmtc {

/// Some labels of one document: the same ones whatever else is in the batch.
struct Segment {
  std::size_t document;
  std::size_t first_label;
  std::size_t num_labels;
  std::size_t first_row;  ///< in its tile
};

/// Rows of D that are made together.
struct Tile {
  std::vector<Segment> segments;
  std::size_t rows = 0;
};

constexpr std::size_t kSegmentLabels = kPanelWidth;
/// Few enough for the cache, enough to use what is loaded for them.
constexpr std::size_t kTileRows = 3 * kSegmentLabels;

/// All labels of one document after the other.
std::vector<Tile> tiles_of(const LabelAttentionShape& shape, std::size_t rows_per_tile = kTileRows);

/// Whether A, and what it makes of the values, are kept for the backward pass rather than made
/// again: with no more labels than words they take no more memory than what is kept of the words.
inline bool rows_are_kept(const LabelAttentionShape& shape) { return shape.labels <= shape.words; }

/// What is made of a document's words before its labels pass.
class DocumentWords {
 public:
  DocumentWords(const LabelAttentionOperands& operands, const PackedAttention& packed);

  std::size_t words_of(std::size_t document) const {
    return static_cast<std::size_t>(operands_.lengths[document]);
  }
  const float* I_of(std::size_t document) const {
    return operands_.I + document * shape_.words * shape_.word_width;
  }
  /// Whether I W^T is made first and mixed by A, rather than I mixed and then multiplied by W^T.
  bool projected_first() const { return projected_first_; }
  std::size_t value_width() const {
    return projected_first_ ? shape_.document_width : shape_.word_width;
  }

  /// Rows [begin, end) of tanh(I f_w^T + shift), (n, a).
  void project(std::size_t document, std::size_t begin, std::size_t end, float* projected) const;
  /// Rows [begin, end) of S, (n, C), when there is a v_c.
  void relate(std::size_t begin, std::size_t end, const float* projected, float* S) const;
  /// Rows [begin, end) of I W^T, (n, d).
  void multiply_by_W(std::size_t document, std::size_t begin, std::size_t end,
                     PackedMatrix& values) const;

 private:
  const LabelAttentionOperands& operands_;
  const LabelAttentionShape& shape_;
  const PackedAttention& packed_;
  bool projected_first_;
};

/// What the labels meet of a document.
struct WordFactors {
  const float* projected;            ///< tanh(I f_w^T + shift), (n, a)
  const PackedMatrix* S_transposed;  ///< (C, n), when there is a v_c
  const PackedMatrix* values;
};

/// The rows of one tile, and the steps of both passes that make them.
class AttentionTile {
 public:
  AttentionTile(const LabelAttentionOperands& operands, const PackedAttention& packed,
                const DocumentWords& documents);

  std::size_t A_stride() const { return whole_vectors(shape_.words); }
  float* A_of(const Segment& segment) { return A_.data() + segment.first_row * A_stride(); }
  float* attended() { return attended_.data(); }
  float* attended_of(const Segment& segment) {
    return attended() + segment.first_row * documents_.value_width();
  }
  float* D() { return documents_.projected_first() ? attended_.data() : D_.data(); }
  float* D_of(const Segment& segment) { return D() + segment.first_row * shape_.document_width; }

  /// A and A times the values for the segment's rows of the tile.
  void attend(const Segment& segment, const WordFactors& factors);

  /// Keeps what attend() has made of a segment, and puts it back.
  void store(const Segment& segment, LabelAttentionTrace::OfDocument& kept);
  void load(const Segment& segment, const LabelAttentionTrace::OfDocument& kept);

  /// D before bias and relu, for all rows of the tile.
  void project(std::size_t rows);

  LabelRows label_rows(const Segment& segment) const;

 private:
  const LabelAttentionOperands& operands_;
  const LabelAttentionShape& shape_;
  const PackedAttention& packed_;
  const DocumentWords& documents_;
  void relevance(const Segment& segment, const WordFactors& factors, float* A);

  Buffer relevance_transposed_;  // (N, segment)
  Buffer A_;                     // (tile, N)
  Buffer attended_;
  Buffer D_;
};

}  // namespace hmtc
