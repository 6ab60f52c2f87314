#include "kernels/label_attention.h"

#include <cstring>
#include <optional>

#include "kernels/attention_tile.h"

namespace hmtc {
namespace {

void scale(float* values, std::size_t count, float factor) {
  for (std::size_t i = 0; i < count; ++i) values[i] *= factor;
}

/// The backward pass: tile by tile from the results to A and the values, then through the words of
/// each document.
class Backward {
 public:
  Backward(const LabelAttentionOperands& operands, const LabelAttentionTrace& trace,
           const LabelAttentionResultGradients& results, const LabelAttentionGradients& gradients)
      : operands_(operands),
        shape_(operands.shape),
        trace_(trace),
        results_(results),
        gradients_(gradients),
        tile_(operands),
        W_(PackedMatrix::of(operands.W, shape_.word_width, shape_.document_width,
                            shape_.word_width)),
        R_tilde_stride_(whole_vectors(shape_.components)),
        R_tilde_(shape_.labels * R_tilde_stride_),
        sum_D_(results.v, results.v + shape_.documents * shape_.document_width),
        sum_D_tilde_(results.v_tilde, results.v_tilde + shape_.documents * shape_.document_width),
        A_gradient_(kTileRows * tile_.A_stride()),
        attended_gradient_(tile_.projected_first() ? 0 : kTileRows * shape_.word_width),
        values_gradient_(
            tile_.projected_first() ? shape_.documents * shape_.words * shape_.document_width : 0),
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
    for_each_tile(shape_, [&](const std::vector<Segment>& segments, std::size_t rows) {
      recompute(segments, rows);
      through_results(segments);
      const float* of_attended = through_W(rows);
      for (const Segment& segment : segments) {
        through_attention(segment, of_attended + segment.first_row * tile_.value_width());
      }
    });
    const PackedMatrix f_w = PackedMatrix::of(operands_.f_w, shape_.word_width,
                                              shape_.attention_width, shape_.word_width);
    const PackedMatrix v_c = PackedMatrix::of(operands_.v_c, shape_.attention_width,
                                              shape_.components, shape_.attention_width);
    for (std::size_t document = 0; document < shape_.documents; ++document) {
      through_words(document, f_w, v_c);
    }
  }

 private:
  /// What a document needs while its labels pass.
  struct DocumentFactors {
    PackedMatrix S;                  // (n, C)
    PackedMatrix S_transposed;       // (C, n)
    PackedMatrix values_transposed;  // (value width, n)
  };

  void recompute(const std::vector<Segment>& segments, std::size_t rows) {
    for (const Segment& segment : segments) {
      const std::size_t document = segment.document;
      const LabelAttentionTrace::OfDocument& kept = trace_.documents[document];
      if (!factors_[document]) {
        const std::vector<float> S = tile_.S_of(document, kept.projected);
        factors_[document] = DocumentFactors{
            PackedMatrix::of(S.data(), shape_.components, tile_.words_of(document),
                             shape_.components),
            tile_.transposed(S, document), kept.values.transposed(tile_.value_width())};
      }
      tile_.attend(segment, factors_[document]->S_transposed, kept.values);
    }
    tile_.project(rows);
  }

  /// From logits and means to D before bias and relu, in its place.
  void through_results(const std::vector<Segment>& segments) {
    const std::size_t d = shape_.document_width;
    for (const Segment& segment : segments) {
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
    if (tile_.projected_first()) return tile_.D();
    const std::size_t d = shape_.document_width;
    const std::size_t w = shape_.word_width;
    const PackedMatrix attended = PackedMatrix::of(tile_.attended(), w, rows, w);
    multiply({d, w, rows}, {tile_.D(), 1, d}, attended.factor(), gradients_.W, w, Into::kAdd);
    multiply({rows, w, d}, {tile_.D(), d}, W_.factor(), attended_gradient_.data(), w, Into::kSet);
    return attended_gradient_.data();
  }

  /// To the values, and through A to R~ and S.
  void through_attention(const Segment& segment, const float* of_attended) {
    const std::size_t words = tile_.words_of(segment.document);
    const std::size_t labels = segment.num_labels;
    const std::size_t width = tile_.value_width();
    const std::size_t C = shape_.components;
    const std::size_t stride = tile_.A_stride();
    const DocumentFactors& factors = *factors_[segment.document];
    const float* A = tile_.A_of(segment);
    float* of_A = A_gradient_.data();
    const PackedMatrix packed = PackedMatrix::of(of_attended, width, labels, width);
    float* of_values = (tile_.projected_first() ? values_gradient_.data() : gradients_.I) +
                       segment.document * shape_.words * width;
    multiply({words, width, labels}, {A, 1, stride}, packed.factor(), of_values, width, Into::kAdd);
    multiply({labels, words, width}, {of_attended, width}, factors.values_transposed.factor(), of_A,
             stride, Into::kSet);
    softmax_rows_backward(A, of_A, stride, labels, words);
    multiply({labels, C, words}, {of_A, stride}, factors.S.factor(),
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
    const std::size_t words = tile_.words_of(document);
    const std::vector<float>& projected = trace_.documents[document].projected;
    const PackedMatrix I = PackedMatrix::of(operands_.I + document * shape_.words * w, w, words, w);
    const float* of_S = S_gradient_.data() + document * shape_.words * C;
    float* of_I = gradients_.I + document * shape_.words * w;

    std::vector<float> of_projected(words * a);
    multiply({words, a, C}, {of_S, C}, v_c.factor(), of_projected.data(), a, Into::kSet);
    multiply({C, a, words}, {of_S, 1, C}, PackedMatrix::of(projected.data(), a, words, a).factor(),
             gradients_.v_c, a, Into::kAdd);
    tanh_rows_backward(projected.data(), of_projected.data(), words, a,
                       gradients_.shift + document * a);
    multiply({words, w, a}, {of_projected.data(), a}, f_w.factor(), of_I, w, Into::kAdd);
    multiply({a, w, words}, {of_projected.data(), 1, a}, I.factor(), gradients_.f_w, w, Into::kAdd);

    if (!tile_.projected_first()) return;
    const float* of_values = values_gradient_.data() + document * shape_.words * d;
    multiply({words, w, d}, {of_values, d}, W_.factor(), of_I, w, Into::kAdd);
    multiply({d, w, words}, {of_values, 1, d}, I.factor(), gradients_.W, w, Into::kAdd);
  }

  const LabelAttentionOperands& operands_;
  const LabelAttentionShape& shape_;
  const LabelAttentionTrace& trace_;
  const LabelAttentionResultGradients& results_;
  const LabelAttentionGradients& gradients_;
  AttentionTile tile_;
  PackedMatrix W_;              // (d, w)
  std::size_t R_tilde_stride_;  // whole vectors, as a right factor wants it
  std::vector<float> R_tilde_;
  std::vector<float> sum_D_;  // gradients of the sums over the labels, not of their means
  std::vector<float> sum_D_tilde_;
  std::vector<float> A_gradient_;
  std::vector<float> attended_gradient_;
  std::vector<float> values_gradient_;  // of I W^T
  std::vector<float> S_gradient_;
  std::vector<std::optional<DocumentFactors>> factors_;
};

}  // namespace

LabelAttentionTrace label_attention_forward(const LabelAttentionOperands& operands,
                                            const LabelAttentionResults& results) {
  const LabelAttentionShape& shape = operands.shape;
  const std::size_t d = shape.document_width;
  AttentionTile attention(operands);
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
  Backward(operands, trace, results, gradients).run();
}

}  // namespace hmtc
