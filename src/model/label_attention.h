#pragma once

#include <torch/torch.h>

namespace hmtc {

/// What the label attention of one level works on. B documents, N words, L labels, C components,
/// w word width, a attention width, d document width.
struct LabelAttentionInput {
  torch::Tensor I;              ///< (B, N, w)  word vectors
  torch::Tensor lengths;        ///< (B)        real words of each document; the rest is padding
  torch::Tensor f_w;            ///< (a, w)     the part of f_w that is applied to each word
  torch::Tensor f_w_shift;      ///< (B, a)     its other part, the same for all words of a document
  torch::Tensor v_c;            ///< (C, a)     components; undefined: there are none, C = a
  torch::Tensor R_tilde;        ///< (L, C)     label-component association
  torch::Tensor W;              ///< (d, w)
  torch::Tensor b;              ///< (d)
  torch::Tensor m;              ///< (B, L)     confidence per label, undefined at the first level
  torch::Tensor label_readout;  ///< (L, d)     local logit j = D~_j . label_readout_j
  /// (B, N) what a word's attention logit gets for every label; undefined: nothing.
  torch::Tensor word_bias = {};
};

/// How much of a level's computation is wanted: kResults is faster and takes less memory.
enum class Detail { kResults, kEverything };

struct LabelAttentionOutput {
  torch::Tensor S;             ///< (B, N, C)  undefined with Detail::kResults
  torch::Tensor A;             ///< (B, L, N)  undefined with Detail::kResults
  torch::Tensor D;             ///< (B, L, d)  undefined with Detail::kResults
  torch::Tensor D_tilde;       ///< (B, L, d)  undefined with Detail::kResults
  torch::Tensor v_tilde;       ///< (B, d)
  torch::Tensor v;             ///< (B, d)
  torch::Tensor local_logits;  ///< (B, L), without a bias
};

/// Eq. 1, 4, 5, 7, 8, 9 and 11 of one level. Padded words get no attention; a document without a
/// word has attention zero everywhere. Detail::kResults takes the fused kernel for floats on the
/// CPU, and the same tensor operations as Detail::kEverything otherwise.
LabelAttentionOutput label_attention(const LabelAttentionInput& input, Detail detail);

}  // namespace hmtc
