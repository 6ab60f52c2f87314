#include <algorithm>
#include <cstring>
#include <optional>

#include "kernels/attention_tile.h"
#include "kernels/label_attention.h"

namespace hmtc {
namespace {

void scale(float* values, std::size_t count, float factor) {
  for (std::size_t i = 0; i < count; ++i) values[i] *= factor;
}

/// The backward pass: tile by tile from the results to A and the values, then through the words of
/// each document.
class Backward {
 public:
  Backward(const LabelAttentionOperands& operands, const PackedAttention& packed,
           const LabelAttentionTrace& trace, const LabelAttentionResultGradients& results,
           const LabelAttentionGradients& gradients)
      : operands_(operands),
        shape_(operands.shape),
        trace_(trace),
        results_(results),
        gradients_(gradients),
        documents_(operands, packed),
        tile_(operands, packed, documents_),
        W_(PackedMatrix::of(operands.W, shape_.word_width, shape_.document_width,
                            shape_.word_width)),
        R_tilde_stride_(whole_vectors(shape_.components)),
        R_tilde_(shape_.labels * R_tilde_stride_),
        sum_D_(results.v, results.v + shape_.documents * shape_.document_width),
        sum_D_tilde_(results.v_tilde, results.v_tilde + shape_.documents * shape_.document_width),
        A_gradient_(kTileRows * tile_.A_stride()),
        attended_gradient_(documents_.projected_first() ? 0 : kTileRows * shape_.word_width),
        values_gradient_(documents_.projected_first()
                             ? shape_.documents * shape_.words * shape_.document_width
                             : 0),
        S_gradient_(shape_.documents * shape_.words * shape_.components),
        factors_(shape_.documents) {
    const std::size_t C = shape_.components;
    for (std::size_t label = 0; label < shape_.labels; ++label) {
      std::memcpy(R_tilde_.data() + label * R_tilde_stride_, operands.R_tilde + label * C,
                  C * sizeof(float));
    }
    const float share = 1 / static_cast<float>(shape_.labels);
    scale(sum_D_.data(), sum_D_.size(), share);
    scale(sum_D_tilde_.data(), sum_D_tilde_.size(), share);
  }

  void run() {
    for (const Tile& tile : tiles_of(shape_)) {
      recompute(tile);
      through_results(tile);
      const float* of_attended = through_W(tile.rows);
      for (const Segment& segment : tile.segments) {
        through_attention(segment, of_attended + segment.first_row * documents_.value_width());
      }
    }
    const PackedMatrix f_w = PackedMatrix::of(operands_.f_w, shape_.word_width,
                                              shape_.attention_width, shape_.word_width);
    PackedMatrix v_c;
    if (operands_.v_c != nullptr) {
      v_c = PackedMatrix::of(operands_.v_c, shape_.attention_width, shape_.components,
                             shape_.attention_width);
    }
    for (std::size_t document = 0; document < shape_.documents; ++document) {
      through_words(document, f_w, v_c);
    }
  }

 private:
  /// What a document needs while its labels pass.
  struct DocumentFactors {
    Buffer related;                  // S (n, C), when there is a v_c
    PackedMatrix S_transposed;       // (C, n), when there is a v_c
    PackedMatrix values_transposed;  // (value width, n)
  };

  void recompute(const Tile& tile) {
    for (const Segment& segment : tile.segments) {
      const std::size_t document = segment.document;
      if (!factors_[document]) factors_[document] = factors_of(document);
      const LabelAttentionTrace::OfDocument& words = trace_.documents[document];
      tile_.attend(segment,
                   {words.projected.data(), &factors_[document]->S_transposed, &words.values});
    }
    tile_.project(tile.rows);
  }

  DocumentFactors factors_of(std::size_t document) const {
    const LabelAttentionTrace::OfDocument& kept = trace_.documents[document];
    const std::size_t words = documents_.words_of(document);
    const std::size_t C = shape_.components;
    DocumentFactors factors;
    factors.values_transposed = kept.values.transposed(documents_.value_width());
    if (operands_.v_c == nullptr) return factors;
    factors.related = Buffer(words * C);
    documents_.relate(0, words, kept.projected.data(), factors.related.data());
    factors.S_transposed = PackedMatrix::of_transpose(factors.related.data(), C, C, words);
    return factors;
  }

  const float* S_of(std::size_t document) const {
    return operands_.v_c == nullptr ? trace_.documents[document].projected.data()
                                    : factors_[document]->related.data();
  }

  /// From logits and means to D before bias and relu, in its place.
  void through_results(const Tile& tile) {
    const std::size_t d = shape_.document_width;
    for (const Segment& segment : tile.segments) {
      const std::size_t at = segment.document * shape_.labels + segment.first_label;
      label_rows_backward(tile_.label_rows(segment),
                          {results_.local_logits + at, sum_D_tilde_.data() + segment.document * d,
                           sum_D_.data() + segment.document * d, gradients_.b,
                           gradients_.m == nullptr ? nullptr : gradients_.m + at,
                           gradients_.readout + segment.first_label * d},
                          tile_.D_of(segment), d);
    }
  }

  /// To A times the values: D itself when the words were projected first.
  const float* through_W(std::size_t rows) {
    if (documents_.projected_first()) return tile_.D();
    const std::size_t d = shape_.document_width;
    const std::size_t w = shape_.word_width;
    const BufferRows attended(tile_.attended(), w, rows, w);
    multiply({d, w, rows}, {tile_.D(), 1, d}, attended.factor(), gradients_.W, w, Into::kAdd);
    multiply({rows, w, d}, {tile_.D(), d}, W_.factor(), attended_gradient_.data(), w, Into::kSet);
    return attended_gradient_.data();
  }

  /// To the values, and through A to R~ and S.
  void through_attention(const Segment& segment, const float* of_attended) {
    const std::size_t words = documents_.words_of(segment.document);
    const std::size_t labels = segment.num_labels;
    const std::size_t width = documents_.value_width();
    const std::size_t C = shape_.components;
    const std::size_t stride = tile_.A_stride();
    const DocumentFactors& factors = *factors_[segment.document];
    const float* A = tile_.A_of(segment);
    float* of_A = A_gradient_.data();
    const BufferRows of_attended_rows(of_attended, width, labels, width);
    float* of_values = (documents_.projected_first() ? values_gradient_.data() : gradients_.I) +
                       segment.document * shape_.words * width;
    multiply({words, width, labels}, {A, 1, stride}, of_attended_rows.factor(), of_values, width,
             Into::kAdd);
    multiply({labels, words, width}, {of_attended, width}, factors.values_transposed.factor(), of_A,
             stride, Into::kSet);
    softmax_rows_backward(A, of_A, stride, labels, words);
    multiply({labels, C, words}, {of_A, stride},
             BufferRows(S_of(segment.document), C, words, C).factor(),
             gradients_.R_tilde + segment.first_label * C, C, Into::kAdd);
    multiply({words, C, labels}, {of_A, 1, stride},
             {R_tilde_.data() + segment.first_label * R_tilde_stride_, R_tilde_stride_},
             S_gradient_.data() + segment.document * shape_.words * C, C, Into::kAdd);
  }

  /// From S through f_w, and from I W^T where there is one, to the words.
  void through_words(std::size_t document, const PackedMatrix& f_w, const PackedMatrix& v_c) {
    const std::size_t a = shape_.attention_width;
    const std::size_t d = shape_.document_width;
    const std::size_t w = shape_.word_width;
    const std::size_t C = shape_.components;
    const std::size_t words = documents_.words_of(document);
    const LabelAttentionTrace::OfDocument& kept = trace_.documents[document];
    const float* projected = kept.projected.data();
    const float* of_S = S_gradient_.data() + document * shape_.words * C;
    float* of_I = gradients_.I + document * shape_.words * w;
    PackedMatrix own_I;
    if (documents_.projected_first())
      own_I = PackedMatrix::of(documents_.I_of(document), w, words, w);
    const PackedMatrix& I = documents_.projected_first() ? own_I : kept.values;

    Buffer of_projected(words * a);
    if (operands_.v_c != nullptr) {
      multiply({words, a, C}, {of_S, C}, v_c.factor(), of_projected.data(), a, Into::kSet);
      multiply({C, a, words}, {of_S, 1, C}, BufferRows(projected, a, words, a).factor(),
               gradients_.v_c, a, Into::kAdd);
    } else {
      std::copy_n(of_S, words * a, of_projected.data());
    }
    tanh_rows_backward(projected, of_projected.data(), words, a, gradients_.shift + document * a);
    multiply({words, w, a}, {of_projected.data(), a}, f_w.factor(), of_I, w, Into::kAdd);
    multiply({a, w, words}, {of_projected.data(), 1, a}, I.factor(), gradients_.f_w, w, Into::kAdd);

    if (!documents_.projected_first()) return;
    const float* of_values = values_gradient_.data() + document * shape_.words * d;
    multiply({words, w, d}, {of_values, d}, W_.factor(), of_I, w, Into::kAdd);
    multiply({d, w, words}, {of_values, 1, d}, I.factor(), gradients_.W, w, Into::kAdd);
  }

  const LabelAttentionOperands& operands_;
  const LabelAttentionShape& shape_;
  const LabelAttentionTrace& trace_;
  const LabelAttentionResultGradients& results_;
  const LabelAttentionGradients& gradients_;
  DocumentWords documents_;
  AttentionTile tile_;
  PackedMatrix W_;              // (d, w)
  std::size_t R_tilde_stride_;  // whole vectors, as a right factor wants it
  std::vector<float> R_tilde_;
  std::vector<float> sum_D_;  // gradients of the sums over the labels, not of their means
  std::vector<float> sum_D_tilde_;
  Buffer A_gradient_;
  Buffer attended_gradient_;
  std::vector<float> values_gradient_;  // of I W^T
  std::vector<float> S_gradient_;
  std::vector<std::optional<DocumentFactors>> factors_;
};

}  // namespace

void label_attention_backward(const LabelAttentionOperands& operands, const PackedAttention& packed,
                              const LabelAttentionTrace& trace,
                              const LabelAttentionResultGradients& results,
                              const LabelAttentionGradients& gradients) {
  Backward(operands, packed, trace, results, gradients).run();
}

}  // namespace hmtc
