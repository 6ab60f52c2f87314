#include "kernels/attention_tile.h"

#include <algorithm>

namespace hmtc {
namespace {

/// Compares the multiplications of a training step (forward, recomputed, backward) for a document
/// of average length.
bool words_are_projected_first(const LabelAttentionOperands& operands) {
  const LabelAttentionShape& shape = operands.shape;
  double words = 0;
  for (const std::int64_t length : operands.lengths) words += static_cast<double>(length);
  words /= static_cast<double>(std::max<std::size_t>(shape.documents, 1));
  const auto labels = static_cast<double>(shape.labels);
  const auto w = static_cast<double>(shape.word_width);
  const auto d = static_cast<double>(shape.document_width);
  const double projected_first = 3 * words * w * d + 4 * labels * words * d;
  const double attended_first = 4 * labels * words * w + 4 * labels * w * d;
  return projected_first < attended_first;
}

}  // namespace

std::vector<Tile> tiles_of(const LabelAttentionShape& shape, std::size_t rows_per_tile) {
  std::vector<Tile> tiles;
  for (std::size_t document = 0; document < shape.documents; ++document) {
    for (std::size_t label = 0; label < shape.labels; label += kSegmentLabels) {
      const std::size_t count = std::min(kSegmentLabels, shape.labels - label);
      if (tiles.empty() || tiles.back().rows + count > rows_per_tile) tiles.emplace_back();
      tiles.back().segments.push_back({document, label, count, tiles.back().rows});
      tiles.back().rows += count;
    }
  }
  return tiles;
}

DocumentWords::DocumentWords(const LabelAttentionOperands& operands, const PackedAttention& packed)
    : operands_(operands),
      shape_(operands.shape),
      packed_(packed),
      projected_first_(words_are_projected_first(operands)) {}

void DocumentWords::project(std::size_t document, std::size_t begin, std::size_t end,
                            float* projected) const {
  const std::size_t a = shape_.attention_width;
  const std::size_t w = shape_.word_width;
  multiply({end - begin, a, w}, {I_of(document) + begin * w, w}, packed_.f_w_transposed.factor(),
           projected + begin * a, a, Into::kSet);
  tanh_rows(projected + begin * a, end - begin, a, operands_.shift + document * a);
}

void DocumentWords::relate(std::size_t begin, std::size_t end, const float* projected,
                           float* S) const {
  const std::size_t a = shape_.attention_width;
  const std::size_t C = shape_.components;
  multiply({end - begin, C, a}, {projected + begin * a, a}, packed_.v_c_transposed.factor(),
           S + begin * C, C, Into::kSet);
}

void DocumentWords::multiply_by_W(std::size_t document, std::size_t begin, std::size_t end,
                                  PackedMatrix& values) const {
  const std::size_t w = shape_.word_width;
  values.set_rows(begin, {end - begin, shape_.document_width, w}, {I_of(document) + begin * w, w},
                  packed_.W_transposed);
}

AttentionTile::AttentionTile(const LabelAttentionOperands& operands, const PackedAttention& packed,
                             const DocumentWords& documents)
    : operands_(operands),
      shape_(operands.shape),
      packed_(packed),
      documents_(documents),
      relevance_transposed_(operands.v_c == nullptr ? shape_.words * kSegmentLabels : 0),
      A_(kTileRows * whole_vectors(shape_.words)),
      attended_(kTileRows * documents.value_width()),
      D_(documents.projected_first() ? 0 : kTileRows * shape_.document_width) {}

/// R~ S^T. With few labels, and so without a v_c, it is cheaper to turn the result round than S.
void AttentionTile::relevance(const Segment& segment, const WordFactors& factors, float* A) {
  const std::size_t words = documents_.words_of(segment.document);
  const std::size_t C = shape_.components;
  if (operands_.v_c != nullptr) {
    multiply({segment.num_labels, words, C}, {operands_.R_tilde + segment.first_label * C, C},
             factors.S_transposed->factor(), A, A_stride(), Into::kSet);
    return;
  }
  multiply({words, segment.num_labels, C}, {factors.projected, C},
           packed_.R_tilde_transposed.factor_from(segment.first_label / kPanelWidth),
           relevance_transposed_.data(), kSegmentLabels, Into::kSet);
  transpose(relevance_transposed_.data(), kSegmentLabels, words, segment.num_labels, A, A_stride());
}

void AttentionTile::attend(const Segment& segment, const WordFactors& factors) {
  const std::size_t words = documents_.words_of(segment.document);
  const std::size_t width = documents_.value_width();
  float* A = A_of(segment);
  relevance(segment, factors, A);
  if (operands_.word_bias != nullptr) {
    shift_rows(A, A_stride(), segment.num_labels, words,
               operands_.word_bias + segment.document * shape_.words);
  }
  softmax_rows(A, A_stride(), segment.num_labels, words);
  multiply({segment.num_labels, width, words}, {A, A_stride()}, factors.values->factor(),
           attended_of(segment), width, Into::kSet);
}

void AttentionTile::store(const Segment& segment, LabelAttentionTrace::OfDocument& kept) {
  const std::size_t width = documents_.value_width();
  if (segment.first_label == 0) {
    kept.A = Buffer(shape_.labels * A_stride());
    kept.attended = Buffer(shape_.labels * width);
  }
  std::copy_n(A_of(segment), segment.num_labels * A_stride(),
              kept.A.data() + segment.first_label * A_stride());
  std::copy_n(attended_of(segment), segment.num_labels * width,
              kept.attended.data() + segment.first_label * width);
}

void AttentionTile::load(const Segment& segment, const LabelAttentionTrace::OfDocument& kept) {
  const std::size_t width = documents_.value_width();
  std::copy_n(kept.A.data() + segment.first_label * A_stride(), segment.num_labels * A_stride(),
              A_of(segment));
  std::copy_n(kept.attended.data() + segment.first_label * width, segment.num_labels * width,
              attended_of(segment));
}

void AttentionTile::project(std::size_t rows) {
  if (documents_.projected_first()) return;
  multiply({rows, shape_.document_width, shape_.word_width}, {attended(), shape_.word_width},
           packed_.W_transposed.factor(), D(), shape_.document_width, Into::kSet);
}

LabelRows AttentionTile::label_rows(const Segment& segment) const {
  return {segment.num_labels, shape_.document_width, operands_.b,
          operands_.m == nullptr
              ? nullptr
              : operands_.m + segment.document * shape_.labels + segment.first_label,
          operands_.readout + segment.first_label * shape_.document_width};
}

}  // namespace hmtc
