#include "kernels/label_attention.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "kernels/label_rows.h"

namespace hmtc {
namespace {

/// Labels of one document within a tile.
struct Segment {
  std::size_t document;
  std::size_t first_label;
  std::size_t num_labels;
  std::size_t first_row;  ///< in the tile
};

/// Rows of a tile: few enough for the cache, enough to use what is loaded for them.
constexpr std::size_t kTileRows = 128;

std::size_t whole_vectors(std::size_t count) { return (count + 15) / 16 * 16; }

/// Multiplications of a training step (forward, recomputed, backward) for one document of average
/// length in both orders.
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

/// Everything about one call that both passes share.
class Attention {
 public:
  explicit Attention(const LabelAttentionOperands& operands)
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

void scale(float* values, std::size_t count, float factor) {
  for (std::size_t i = 0; i < count; ++i) values[i] *= factor;
}

}  // namespace

LabelAttentionTrace label_attention_forward(const LabelAttentionOperands& operands,
                                            const LabelAttentionResults& results) {
  const LabelAttentionShape& shape = operands.shape;
  const std::size_t d = shape.document_width;
  Attention attention(operands);
  LabelAttentionTrace trace;
  std::vector<PackedMatrix> relevance;
  for (std::size_t document = 0; document < shape.documents; ++document) {
    trace.documents.push_back({attention.projected_words(document), attention.values_of(document)});
    relevance.push_back(
        attention.transposed(attention.S_of(document, trace.documents.back().projected), document));
  }
  std::fill_n(results.v, shape.documents * d, 0.0F);
  std::fill_n(results.v_tilde, shape.documents * d, 0.0F);
  for_each_tile(shape, [&](const std::vector<Segment>& tile, std::size_t rows) {
    for (const Segment& segment : tile) {
      attention.attend(segment, relevance[segment.document],
                       trace.documents[segment.document].values);
    }
    attention.project(rows);
    for (const Segment& segment : tile) {
      label_rows_forward(
          attention.label_rows(segment), attention.D_of(segment), d,
          results.local_logits + segment.document * shape.labels + segment.first_label,
          results.v_tilde + segment.document * d, results.v + segment.document * d);
    }
  });
  const float share = 1 / static_cast<float>(shape.labels);
  scale(results.v, shape.documents * d, share);
  scale(results.v_tilde, shape.documents * d, share);
  return trace;
}

void label_attention_backward(const LabelAttentionOperands& operands,
                              const LabelAttentionTrace& trace,
                              const LabelAttentionResultGradients& results,
                              const LabelAttentionGradients& gradients) {
  const LabelAttentionShape& shape = operands.shape;
  const std::size_t d = shape.document_width;
  const std::size_t w = shape.word_width;
  const std::size_t C = shape.components;
  Attention attention(operands);
  const std::size_t value_width = attention.value_width();
  const std::size_t A_stride = attention.A_stride();

  // The means over the labels: of each label's row, an L-th.
  const float share = 1 / static_cast<float>(shape.labels);
  std::vector<float> sum_D(results.v, results.v + shape.documents * d);
  std::vector<float> sum_D_tilde(results.v_tilde, results.v_tilde + shape.documents * d);
  scale(sum_D.data(), sum_D.size(), share);
  scale(sum_D_tilde.data(), sum_D_tilde.size(), share);

  const PackedMatrix W = PackedMatrix::of(operands.W, w, d, w);
  // R~ with whole vectors in every row, as a right factor wants it.
  const std::size_t C_stride = whole_vectors(C);
  std::vector<float> R_tilde(shape.labels * C_stride);
  for (std::size_t label = 0; label < shape.labels; ++label) {
    std::memcpy(R_tilde.data() + label * C_stride, operands.R_tilde + label * C, C * sizeof(float));
  }
  std::vector<float> A_gradient(kTileRows * A_stride);
  std::vector<float> attended_gradient(attention.projected_first() ? 0 : kTileRows * w);
  std::vector<float> values_gradient(  // of I W^T
      attention.projected_first() ? shape.documents * shape.words * d : 0);
  std::vector<float> S_gradient(shape.documents * shape.words * C);

  /// What a document needs while its labels pass.
  struct DocumentFactors {
    PackedMatrix S;                  // (n, C)
    PackedMatrix S_transposed;       // (C, n)
    PackedMatrix values_transposed;  // (value width, n)
  };
  std::vector<std::optional<DocumentFactors>> factors(shape.documents);

  for_each_tile(shape, [&](const std::vector<Segment>& tile, std::size_t rows) {
    for (const Segment& segment : tile) {
      const std::size_t document = segment.document;
      const std::size_t words = attention.words_of(document);
      const LabelAttentionTrace::OfDocument& kept = trace.documents[document];
      if (!factors[document]) {
        const std::vector<float> S = attention.S_of(document, kept.projected);
        factors[document] =
            DocumentFactors{PackedMatrix::of(S.data(), C, words, C),
                            attention.transposed(S, document), kept.values.transposed(value_width)};
      }
      attention.attend(segment, factors[document]->S_transposed, kept.values);
    }
    attention.project(rows);
    for (const Segment& segment : tile) {
      const std::size_t at = segment.document * shape.labels + segment.first_label;
      label_rows_backward(attention.label_rows(segment),
                          {results.local_logits + at, sum_D_tilde.data() + segment.document * d,
                           sum_D.data() + segment.document * d, gradients.b,
                           gradients.m == nullptr ? nullptr : gradients.m + at,
                           gradients.readout + segment.first_label * d},
                          attention.D_of(segment), d);
    }
    float* of_attended = attention.D();
    if (!attention.projected_first()) {
      const PackedMatrix attended = PackedMatrix::of(attention.attended(), w, rows, w);
      multiply({d, w, rows}, {attention.D(), 1, d}, attended.factor(), gradients.W, w, Into::kAdd);
      multiply({rows, w, d}, {attention.D(), d}, W.factor(), attended_gradient.data(), w,
               Into::kSet);
      of_attended = attended_gradient.data();
    }
    for (const Segment& segment : tile) {
      const std::size_t document = segment.document;
      const std::size_t words = attention.words_of(document);
      const std::size_t labels = segment.num_labels;
      const float* A = attention.A_of(segment);
      const float* rows_gradient = of_attended + segment.first_row * value_width;
      const PackedMatrix packed = PackedMatrix::of(rows_gradient, value_width, labels, value_width);
      float* of_values = attention.projected_first()
                             ? values_gradient.data() + document * shape.words * d
                             : gradients.I + document * shape.words * w;
      multiply({words, value_width, labels}, {A, 1, A_stride}, packed.factor(), of_values,
               value_width, Into::kAdd);
      multiply({labels, words, value_width}, {rows_gradient, value_width},
               factors[document]->values_transposed.factor(), A_gradient.data(), A_stride,
               Into::kSet);
      softmax_rows_backward(A, A_gradient.data(), A_stride, labels, words);
      multiply({labels, C, words}, {A_gradient.data(), A_stride}, factors[document]->S.factor(),
               gradients.R_tilde + segment.first_label * C, C, Into::kAdd);
      multiply({words, C, labels}, {A_gradient.data(), 1, A_stride},
               {R_tilde.data() + segment.first_label * C_stride, C_stride},
               S_gradient.data() + document * shape.words * C, C, Into::kAdd);
    }
  });

  // What remains goes through the words: I W^T, and S through f_w.
  const std::size_t a = shape.attention_width;
  const PackedMatrix f_w = PackedMatrix::of(operands.f_w, w, a, w);
  const PackedMatrix v_c = PackedMatrix::of(operands.v_c, a, C, a);
  for (std::size_t document = 0; document < shape.documents; ++document) {
    const std::size_t words = attention.words_of(document);
    const std::vector<float>& projected = trace.documents[document].projected;
    float* I_gradient = gradients.I + document * shape.words * w;
    const PackedMatrix I = PackedMatrix::of(operands.I + document * shape.words * w, w, words, w);

    const float* of_S = S_gradient.data() + document * shape.words * C;
    std::vector<float> of_projected(words * a);
    multiply({words, a, C}, {of_S, C}, v_c.factor(), of_projected.data(), a, Into::kSet);
    multiply({C, a, words}, {of_S, 1, C}, PackedMatrix::of(projected.data(), a, words, a).factor(),
             gradients.v_c, a, Into::kAdd);
    tanh_rows_backward(projected.data(), of_projected.data(), words, a,
                       gradients.shift + document * a);
    multiply({words, w, a}, {of_projected.data(), a}, f_w.factor(), I_gradient, w, Into::kAdd);
    multiply({a, w, words}, {of_projected.data(), 1, a}, I.factor(), gradients.f_w, w, Into::kAdd);

    if (!attention.projected_first()) continue;
    const float* of_values = values_gradient.data() + document * shape.words * d;
    multiply({words, w, d}, {of_values, d}, W.factor(), I_gradient, w, Into::kAdd);
    multiply({d, w, words}, {of_values, 1, d}, I.factor(), gradients.W, w, Into::kAdd);
  }
}

}  // namespace hmtc
