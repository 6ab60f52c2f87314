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

/// The backward pass: tile by tile from the results to A and the values, and through the words of a
/// document as soon as its last labels have passed.
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
        f_w_(PackedMatrix::of(operands.f_w, shape_.word_width, shape_.attention_width,
                              shape_.word_width)),
        at_work_(shape_.documents) {
    if (operands.v_c != nullptr) {
      v_c_ = PackedMatrix::of(operands.v_c, shape_.attention_width, shape_.components,
                              shape_.attention_width);
      projected_gradient_ = Buffer(shape_.words * shape_.attention_width);
    }
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
        if (segment.first_label + segment.num_labels < shape_.labels) continue;
        through_words(segment.document);
        at_work_[segment.document].reset();
      }
    }
  }

 private:
  /// What a document needs while its labels pass, and what they leave for its words.
  struct DocumentAtWork {
    Buffer related;                  // S (n, C), when there is a v_c
    PackedMatrix S_transposed;       // (C, n), when there is a v_c
    PackedMatrix values_transposed;  // (value width, n)
    Buffer S_gradient;               // (n, C)
    Buffer values_gradient;          // of I W^T (n, d), when the words were projected first
  };

  void recompute(const Tile& tile) {
    for (const Segment& segment : tile.segments) {
      const std::size_t document = segment.document;
      if (segment.first_label == 0) at_work_[document] = begin_document(document);
      const LabelAttentionTrace::OfDocument& kept = trace_.documents[document];
      if (rows_are_kept(shape_)) {
        tile_.load(segment, kept);
      } else {
        tile_.attend(segment,
                     {kept.projected.data(), &at_work_[document]->S_transposed, &kept.values});
      }
    }
    tile_.project(tile.rows);
  }

  DocumentAtWork begin_document(std::size_t document) const {
    const LabelAttentionTrace::OfDocument& kept = trace_.documents[document];
    const std::size_t words = documents_.words_of(document);
    const std::size_t C = shape_.components;
    DocumentAtWork work;
    work.values_transposed = kept.values.transposed(documents_.value_width());
    work.S_gradient = Buffer(words * C);
    if (documents_.projected_first()) work.values_gradient = Buffer(words * shape_.document_width);
    if (operands_.v_c != nullptr) {
      work.related = Buffer(words * C);
      documents_.relate(0, words, kept.projected.data(), work.related.data());
      work.S_transposed = PackedMatrix::of_transpose(work.related.data(), C, C, words);
    }
    return work;
  }

  const float* S_of(std::size_t document) const {
    return operands_.v_c == nullptr ? trace_.documents[document].projected.data()
                                    : at_work_[document]->related.data();
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

  /// To the values, and through A to the words' bias, to R~ and S.
  void through_attention(const Segment& segment, const float* of_attended) {
    const std::size_t words = documents_.words_of(segment.document);
    const std::size_t labels = segment.num_labels;
    const std::size_t width = documents_.value_width();
    const std::size_t C = shape_.components;
    const std::size_t stride = tile_.A_stride();
    DocumentAtWork& work = *at_work_[segment.document];
    const Into into = segment.first_label == 0 ? Into::kSet : Into::kAdd;
    const float* A = tile_.A_of(segment);
    float* of_A = A_gradient_.data();
    const BufferRows of_attended_rows(of_attended, width, labels, width);
    float* of_values = documents_.projected_first() ? work.values_gradient.data()
                                                    : I_gradient_of(segment.document);
    multiply({words, width, labels}, {A, 1, stride}, of_attended_rows.factor(), of_values, width,
             into);
    multiply({labels, words, width}, {of_attended, width}, work.values_transposed.factor(), of_A,
             stride, Into::kSet);
    softmax_rows_backward(A, of_A, stride, labels, words);
    if (gradients_.word_bias != nullptr) {
      shift_rows_backward(of_A, stride, labels, words,
                          gradients_.word_bias + segment.document * shape_.words);
    }
    multiply({labels, C, words}, {of_A, stride},
             BufferRows(S_of(segment.document), C, words, C).factor(),
             gradients_.R_tilde + segment.first_label * C, C, Into::kAdd);
    multiply({words, C, labels}, {of_A, 1, stride},
             {R_tilde_.data() + segment.first_label * R_tilde_stride_, R_tilde_stride_},
             work.S_gradient.data(), C, into);
  }

  float* I_gradient_of(std::size_t document) const {
    return gradients_.I + document * shape_.words * shape_.word_width;
  }

  /// From S through f_w, and from I W^T where there is one, to the words.
  void through_words(std::size_t document) {
    const std::size_t a = shape_.attention_width;
    const std::size_t d = shape_.document_width;
    const std::size_t w = shape_.word_width;
    const std::size_t words = documents_.words_of(document);
    DocumentAtWork& work = *at_work_[document];
    const LabelAttentionTrace::OfDocument& kept = trace_.documents[document];
    float* of_projected = through_v_c(document);
    float* of_I = I_gradient_of(document);
    std::fill_n(of_I + words * w, (shape_.words - words) * w, 0.0F);  // of the padding

    tanh_rows_backward(kept.projected.data(), of_projected, words, a,
                       gradients_.shift + document * a);
    multiply({words, w, a}, {of_projected, a}, f_w_.factor(), of_I, w,
             documents_.projected_first() ? Into::kSet : Into::kAdd);
    PackedMatrix own_I;
    if (documents_.projected_first()) {
      own_I = PackedMatrix::of(documents_.I_of(document), w, words, w);
    }
    const PackedMatrix& I = documents_.projected_first() ? own_I : kept.values;
    multiply({a, w, words}, {of_projected, 1, a}, I.factor(), gradients_.f_w, w, Into::kAdd);

    if (!documents_.projected_first()) return;
    const float* of_values = work.values_gradient.data();
    multiply({words, w, d}, {of_values, d}, W_.factor(), of_I, w, Into::kAdd);
    multiply({d, w, words}, {of_values, 1, d}, I.factor(), gradients_.W, w, Into::kAdd);
  }

  /// From S to what v_c was multiplied by: S itself without a v_c.
  float* through_v_c(std::size_t document) {
    float* of_S = at_work_[document]->S_gradient.data();
    if (operands_.v_c == nullptr) return of_S;
    const std::size_t a = shape_.attention_width;
    const std::size_t C = shape_.components;
    const std::size_t words = documents_.words_of(document);
    const float* projected = trace_.documents[document].projected.data();
    multiply({words, a, C}, {of_S, C}, v_c_.factor(), projected_gradient_.data(), a, Into::kSet);
    multiply({C, a, words}, {of_S, 1, C}, BufferRows(projected, a, words, a).factor(),
             gradients_.v_c, a, Into::kAdd);
    return projected_gradient_.data();
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
  Buffer projected_gradient_;  // (N, a), when there is a v_c
  PackedMatrix f_w_;           // (a, w)
  PackedMatrix v_c_;           // (C, a), when there is one
  std::vector<std::optional<DocumentAtWork>> at_work_;
};

}  // namespace

void label_attention_backward(const LabelAttentionOperands& operands, const PackedAttention& packed,
                              const LabelAttentionTrace& trace,
                              const LabelAttentionResultGradients& results,
                              const LabelAttentionGradients& gradients) {
  Backward(operands, packed, trace, results, gradients).run();
}

}  // namespace hmtc
