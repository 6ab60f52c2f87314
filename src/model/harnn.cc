// HARNN, to be read beside section 4 of "Hierarchical Multi-label Text Classification: An
// Attention-based Recurrent Network Approach" (Huang et al. 2019).
//
//   B documents   N words   w word width   a attention width   d width of a level's document
//   L labels of a level     M all labels   H levels
#include "model/harnn.h"

#include <numeric>
#include <string>

#include "model/initialise.h"
#include "model/over_words.h"

namespace hmtc {
namespace {

torch::nn::Linear without_bias(std::int64_t in, std::int64_t out) {
  return torch::nn::Linear(torch::nn::LinearOptions(in, out).bias(false));
}

}  // namespace

HarnnLevelImpl::HarnnLevelImpl(const ModelOptions& options, std::int64_t word_width,
                               std::int64_t num_labels)
    : W_s1_(without_bias(word_width, options.attention_width)),
      W_s2_(without_bias(options.attention_width, num_labels)),
      W_(2 * word_width, options.document_width),
      local_(options.document_width, num_labels) {
  register_module("W_s1", W_s1_);
  register_module("W_s2", W_s2_);
  register_module("W", W_);
  register_module("local", local_);
}

HarnnLevelOutput HarnnLevelImpl::forward(const torch::Tensor& V, const torch::Tensor& mean,
                                         const torch::Tensor& omega, const WordBatch& batch) {
  HarnnLevelOutput out;
  const auto X = omega.defined() ? V * omega.unsqueeze(-1) : V;  // (B, N, w)
  const auto O = W_s2_(torch::tanh(W_s1_(X))).transpose(1, 2);   // (B, L, N)
  out.Att = softmax_over_words(O, batch.lengths);                // (B, L, N)
  // The mean over the labels of Att X is the mean of Att times X.
  const auto r = torch::bmm(out.Att.mean(1, /*keepdim=*/true), X).squeeze(1);        // (B, w)
  out.A = torch::relu(W_(torch::cat({mean, r}, 1)));                                 // (B, d)
  out.local_logits = local_(out.A);                                                  // (B, L)
  const auto P = torch::sigmoid(out.local_logits);                                   // (B, L)
  out.omega = softmax_over_words(out.Att * P.unsqueeze(-1), batch.lengths).mean(1);  // (B, N)
  return out;
}

Harnn::Harnn(const ModelOptions& options, Encoder encoder,
             const std::vector<std::int64_t>& level_sizes)
    : LogitModel(std::move(encoder), options.local_weight) {
  for (std::size_t h = 0; h < level_sizes.size(); ++h) {
    levels_.push_back(register_module("level_" + std::to_string(h + 1),
                                      HarnnLevel(options, encoder_->width(), level_sizes[h])));
  }
  global_ = register_module(
      "global",
      GlobalClassifier(options, GlobalClassifierImpl::Highway::kOne,
                       static_cast<std::int64_t>(level_sizes.size()) * options.document_width,
                       std::accumulate(level_sizes.begin(), level_sizes.end(), std::int64_t{0})));
  initialise(*this, Profile::kPaper);
}

std::vector<HarnnLevelOutput> Harnn::run_levels(const WordBatch& batch) {
  const torch::Tensor V = encoder_(batch);               // (B, N, w)
  const torch::Tensor mean = mean_over_words(V, batch);  // (B, w)
  std::vector<HarnnLevelOutput> outputs;
  torch::Tensor omega;  // undefined above the first level, where it is one
  for (HarnnLevel& level : levels_) {
    outputs.push_back(level(V, mean, omega, batch));
    omega = outputs.back().omega;
  }
  return outputs;
}

ModelOutput Harnn::forward(const WordBatch& batch) {
  std::vector<torch::Tensor> A, P;
  for (const HarnnLevelOutput& level : run_levels(batch)) {
    A.push_back(level.A);
    P.push_back(level.local_logits);
  }
  return {torch::cat(P, 1), global_(torch::cat(A, 1), ~batch.seed)};  // (B, M)
}

}  // namespace hmtc
