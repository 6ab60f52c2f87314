#include "model/label_attention.h"

#include "model/fused_label_attention.h"
#include "model/over_words.h"

namespace hmtc {
namespace {

/// A I W^T, multiplied in the cheaper order (D11).
torch::Tensor attended_words(const torch::Tensor& A, const torch::Tensor& I,
                             const torch::Tensor& W) {
  const std::int64_t labels = A.size(1);
  const std::int64_t words = I.size(1);
  const std::int64_t width = W.size(1);
  const std::int64_t document_width = W.size(0);
  const std::int64_t attention_first = labels * words * width + labels * width * document_width;
  const std::int64_t projection_first =
      words * width * document_width + labels * words * document_width;
  return attention_first <= projection_first ? torch::matmul(torch::bmm(A, I), W.t())
                                             : torch::bmm(A, torch::matmul(I, W.t()));
}

}  // namespace

LabelAttentionOutput label_attention(const LabelAttentionInput& input, Detail detail) {
  if (detail == Detail::kResults && fused_label_attention_applies(input)) {
    return fused_label_attention(input);
  }
  LabelAttentionOutput out;
  const auto f_w = torch::tanh(torch::matmul(input.I, input.f_w.t()) +
                               input.f_w_shift.unsqueeze(1));             // (B, N, a)  D1
  out.S = input.v_c.defined() ? torch::matmul(f_w, input.v_c.t()) : f_w;  // Eq. 1  (B, N, C)
  auto logits = torch::matmul(out.S, input.R_tilde.t()).transpose(1, 2);  //        (B, L, N)
  if (input.word_bias.defined()) logits = logits + input.word_bias.unsqueeze(1);  // LA-HCN+
  out.A = softmax_over_words(logits, input.lengths);                        // Eq. 4  (B, L, N)
  out.D = torch::relu(attended_words(out.A, input.I, input.W) + input.b);   // Eq. 5  (B, L, d)
  out.D_tilde = input.m.defined() ? out.D * input.m.unsqueeze(-1) : out.D;  // Eq. 7  (B, L, d)
  out.v_tilde = out.D_tilde.mean(1);                                        // Eq. 8  (B, d)
  out.v = out.D.mean(1);                                                    // Eq. 9  (B, d)
  out.local_logits = (out.D_tilde * input.label_readout).sum(-1);           // Eq. 11 (B, L)
  return out;
}

}  // namespace hmtc
