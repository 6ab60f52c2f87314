#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/packed_matrix.h"

namespace hmtc {

/// The label attention of one level in one pass over tiles of labels, without ever holding the
/// attention (B, L, N) or the label-wise documents (B, L, d). For document b, in the paper's
/// symbols, with the mean over the L labels:
///   S = tanh(I f_w^T + shift) v_c^T
///   A = softmax over the words of R~ S^T + bias      D = relu(A I W^T + b)      D~_j = m_j D_j
///   local_logit_j = D~_j . readout_j                 v~ = mean D~               v = mean D
/// where the bias of a word is the same for all labels.
/// With few labels R~ v_c is cheaper to make first, once for all documents; then it stands in the
/// place of R~, v_c is null, C = a, and S is the tanh alone. All matrices are row-major.
struct LabelAttentionShape {
  std::size_t documents;        ///< B
  std::size_t words;            ///< N, padding included
  std::size_t labels;           ///< L
  std::size_t components;       ///< C
  std::size_t attention_width;  ///< a
  std::size_t word_width;       ///< w
  std::size_t document_width;   ///< d
};

struct LabelAttentionOperands {
  LabelAttentionShape shape;
  std::span<const std::int64_t> lengths;  ///< (B) real words of each document
  const float* I;                         ///< (B, N, w)
  const float* f_w;                       ///< (a, w)
  const float* shift;                     ///< (B, a)
  const float* v_c;                       ///< (C, a), or null
  const float* R_tilde;                   ///< (L, C)
  const float* W;                         ///< (d, w)
  const float* b;                         ///< (d)
  const float* m;                         ///< (B, L), or null for ones
  const float* readout;                   ///< (L, d)
  const float* word_bias = nullptr;       ///< (B, N), or null for zeros
};

/// What all documents are multiplied by, as the products read it. It holds copies: where the
/// parameters do not change, it is made once.
struct PackedAttention {
  explicit PackedAttention(const LabelAttentionOperands& operands);

  PackedMatrix W_transposed;        ///< (w, d)
  PackedMatrix f_w_transposed;      ///< (w, a)
  PackedMatrix v_c_transposed;      ///< (a, C), when there is a v_c
  PackedMatrix R_tilde_transposed;  ///< (C, L), when there is none
};

struct LabelAttentionResults {
  float* local_logits;  ///< (B, L)
  float* v_tilde;       ///< (B, d)
  float* v;             ///< (B, d)
};

/// What the forward pass keeps of each document for the backward pass.
struct LabelAttentionTrace {
  struct OfDocument {
    Buffer projected;     ///< tanh(I f_w^T + shift), (n, a)
    PackedMatrix values;  ///< whose rows A mixes: I W^T or I, whichever is cheaper
    // With more labels than words these are made again in the backward pass:
    Buffer A;         ///< (L, N), N rounded up to whole vectors
    Buffer attended;  ///< A times the values
  };
  std::vector<OfDocument> documents;
};

LabelAttentionTrace label_attention_forward(const LabelAttentionOperands& operands,
                                            const PackedAttention& packed,
                                            const LabelAttentionResults& results);

/// The results alone, with the same bits on any number of threads.
void label_attention_results(const LabelAttentionOperands& operands, const PackedAttention& packed,
                             const LabelAttentionResults& results, int threads);

/// Gradients of the results.
struct LabelAttentionResultGradients {
  const float* local_logits;
  const float* v_tilde;
  const float* v;
};

/// Gradients of the operands: that of I is set, all others are added to.
struct LabelAttentionGradients {
  float* I;
  float* f_w;
  float* shift;
  float* v_c;  ///< null when the operand is
  float* R_tilde;
  float* W;
  float* b;
  float* m;  ///< null when the operand is
  float* readout;
  float* word_bias = nullptr;  ///< null when the operand is
};

void label_attention_backward(const LabelAttentionOperands& operands, const PackedAttention& packed,
                              const LabelAttentionTrace& trace,
                              const LabelAttentionResultGradients& results,
                              const LabelAttentionGradients& gradients);

}  // namespace hmtc
