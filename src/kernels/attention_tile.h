#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "kernels/label_attention.h"
#include "kernels/label_rows.h"

namespace hmtc {

/// Labels of one document within a tile.
struct Segment {
  std::size_t document;
  std::size_t first_label;
  std::size_t num_labels;
  std::size_t first_row;  ///< in the tile
};

/// Rows of a tile: few enough for the cache, enough to use what is loaded for them.
constexpr std::size_t kTileRows = 128;

inline std::size_t whole_vectors(std::size_t count) { return (count + 15) / 16 * 16; }

/// Whether I W^T is made first and mixed by A, rather than I mixed and then multiplied by W^T.
bool words_are_projected_first(const LabelAttentionOperands& operands);

/// The rows of one tile, and the steps of both passes that make them.
class AttentionTile {
 public:
  explicit AttentionTile(const LabelAttentionOperands& operands)
      : operands_(operands),
        shape_(operands.shape),
        projected_first_(words_are_projected_first(operands)),
        value_width_(projected_first_ ? shape_.document_width : shape_.word_width),
        W_transposed_(PackedMatrix::of_transpose(operands.W, shape_.word_width, shape_.word_width,
                                                 shape_.document_width)),
        f_w_transposed_(PackedMatrix::of_transpose(operands.f_w, shape_.word_width,
                                                   shape_.word_width, shape_.attention_width)),
        v_c_transposed_(PackedMatrix::of_transpose(operands.v_c, shape_.attention_width,
                                                   shape_.attention_width, shape_.components)),
        A_(kTileRows * whole_vectors(shape_.words)),
        attended_(kTileRows * value_width_),
        D_(projected_first_ ? 0 : kTileRows * shape_.document_width) {}

  std::size_t words_of(std::size_t document) const {
    return static_cast<std::size_t>(operands_.lengths[document]);
  }
  std::size_t A_stride() const { return whole_vectors(shape_.words); }
  bool projected_first() const { return projected_first_; }
  std::size_t value_width() const { return value_width_; }

  /// The matrix whose rows A mixes: I W^T, or I.
  PackedMatrix values_of(std::size_t document) const {
    const std::size_t w = shape_.word_width;
    const std::size_t d = shape_.document_width;
    const std::size_t words = words_of(document);
    const float* I = operands_.I + document * shape_.words * w;
    if (!projected_first_) return PackedMatrix::of(I, w, words, w);
    std::vector<float> projected(words * d);
    multiply({words, d, w}, {I, w}, W_transposed_.factor(), projected.data(), d, Into::kSet);
    return PackedMatrix::of(projected.data(), d, words, d);
  }

  /// tanh(I f_w^T + shift), (n, a).
  std::vector<float> projected_words(std::size_t document) const {
    const std::size_t a = shape_.attention_width;
    const std::size_t w = shape_.word_width;
    const std::size_t words = words_of(document);
    std::vector<float> projected(words * a);
    multiply({words, a, w}, {operands_.I + document * shape_.words * w, w},
             f_w_transposed_.factor(), projected.data(), a, Into::kSet);
    tanh_rows(projected.data(), words, a, operands_.shift + document * a);
    return projected;
  }

  /// S of a document, (n, C).
  std::vector<float> S_of(std::size_t document, const std::vector<float>& projected) const {
    const std::size_t words = words_of(document);
    std::vector<float> S(words * shape_.components);
    multiply({words, shape_.components, shape_.attention_width},
             {projected.data(), shape_.attention_width}, v_c_transposed_.factor(), S.data(),
             shape_.components, Into::kSet);
    return S;
  }

  /// S^T of a document, for the relevance R~ S^T.
  PackedMatrix transposed(const std::vector<float>& S, std::size_t document) const {
    return PackedMatrix::of_transpose(S.data(), shape_.components, shape_.components,
                                      words_of(document));
  }

  float* A_of(const Segment& segment) { return A_.data() + segment.first_row * A_stride(); }
  float* attended_of(const Segment& segment) {
    return attended_.data() + segment.first_row * value_width_;
  }
  float* attended() { return attended_.data(); }
  float* D() { return projected_first_ ? attended_.data() : D_.data(); }
  float* D_of(const Segment& segment) { return D() + segment.first_row * shape_.document_width; }

  /// A and A times the values for the segment's rows of the tile.
  void attend(const Segment& segment, const PackedMatrix& S_transposed,
              const PackedMatrix& values) {
    const std::size_t words = words_of(segment.document);
    const std::size_t components = shape_.components;
    float* A = A_of(segment);
    multiply({segment.num_labels, words, components},
             {operands_.R_tilde + segment.first_label * components, components},
             S_transposed.factor(), A, A_stride(), Into::kSet);
    softmax_rows(A, A_stride(), segment.num_labels, words);
    multiply({segment.num_labels, value_width_, words}, {A, A_stride()}, values.factor(),
             attended_of(segment), value_width_, Into::kSet);
  }

  /// D before bias and relu, for all rows of the tile.
  void project(std::size_t rows) {
    if (projected_first_) return;
    multiply({rows, shape_.document_width, shape_.word_width}, {attended(), value_width_},
             W_transposed_.factor(), D(), shape_.document_width, Into::kSet);
  }

  LabelRows label_rows(const Segment& segment) const {
    return {segment.num_labels, shape_.document_width, operands_.b,
            operands_.m == nullptr
                ? nullptr
                : operands_.m + segment.document * shape_.labels + segment.first_label,
            operands_.readout + segment.first_label * shape_.document_width};
  }

 private:
  const LabelAttentionOperands& operands_;
  const LabelAttentionShape& shape_;
  bool projected_first_;
  std::size_t value_width_;
  PackedMatrix W_transposed_;    // (w, d)
  PackedMatrix f_w_transposed_;  // (w, a)
  PackedMatrix v_c_transposed_;  // (a, C)
  std::vector<float> A_;         // (tile, N)
  std::vector<float> attended_;
  std::vector<float> D_;
};

/// The tiles in order: labels of one document after the other, as many as fit.
template <typename Work>
void for_each_tile(const LabelAttentionShape& shape, const Work& work) {
  std::vector<Segment> tile;
  std::size_t rows = 0;
  const auto finish = [&] {
    if (rows > 0) work(tile, rows);
    tile.clear();
    rows = 0;
  };
  for (std::size_t document = 0; document < shape.documents; ++document) {
    for (std::size_t label = 0; label < shape.labels;) {
      const std::size_t count = std::min(shape.labels - label, kTileRows - rows);
      tile.push_back({document, label, count, rows});
      label += count;
      rows += count;
      if (rows == kTileRows) finish();
    }
  }
  finish();
}

}  // namespace hmtc
