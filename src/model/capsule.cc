// The capsule network, to be read beside section 3 of "Hierarchical Multi-label Classification of
// Text with Capsule Networks" (Aly et al. 2019).
//
//   B documents   T places of the window    F kinds of capsules at a place   s size of a capsule
//   M labels      S size of a label's capsule
//
// A capsule u of kind f predicts the vector W_jf u for label j. These predictions, T F M S numbers
// per document, are never held, nor are the routing weights c of more than some places:
//   s_j = sum over all u of c W_jf u = sum over f of W_jf X_jf,   X_jf = sum over places of c u
//   b_uj = W_jf u . V_j = u . Q_jf,   Q_jf = W_jf^T V_j,   V_j the sum of all v_j so far
#include "model/capsule.h"

#include <algorithm>

#include "model/initialise.h"
#include "model/routed_sum.h"

namespace hmtc {
namespace {

constexpr double kTiny = 1e-12;  // the slope of a length of zero is not defined

torch::Tensor length(const torch::Tensor& vectors) {
  return torch::sqrt(vectors.square().sum(-1) + kTiny);
}

/// Keeps the direction, and makes the length one between 0 and 1.
torch::Tensor squash(const torch::Tensor& vectors) {
  const auto norm = length(vectors).unsqueeze(-1);
  return vectors * norm / (1 + norm.square());
}

/// s_j = sum over f of W_jf X_jf, (M, B, S), with W (M, S, F s). In the first round there is no V
/// yet, and every label has the same share of each capsule.
torch::Tensor weighted_sum(const torch::Tensor& u, const torch::Tensor& W, const torch::Tensor& V) {
  const std::int64_t labels = W.size(0);
  if (!V.defined()) {
    const auto X = u.sum(2).flatten(1) / labels;             // (B, F s)
    const auto s = torch::matmul(X, W.flatten(0, 1).t());    // (B, M S)
    return s.view({u.size(0), labels, -1}).transpose(0, 1);  // (M, B, S)
  }
  const auto Q =
      torch::bmm(V, W.detach()).view({labels, u.size(0), u.size(1), -1});  // (M, B, F, s)
  const auto X = routed_sum(u, Q).flatten(2);                              // (M, B, F s)
  return torch::bmm(X, W.transpose(1, 2));                                 // (M, B, S)
}

}  // namespace

Capsule::Capsule(const CapsuleOptions& options, std::int64_t max_words, Encoder encoder,
                 std::int64_t num_labels)
    : Model(std::move(encoder)),
      options_(options),
      num_words_(std::max(max_words, options.window)),
      conv_(torch::nn::Conv1dOptions(encoder_->width(), options.kinds * options.size,
                                     options.window)) {
  register_module("conv", conv_);
  transform_ = register_parameter(
      "transform", torch::empty({num_labels, options.kinds, options.label_size, options.size}));
  initialise(*this, Profile::kPaper);
  const torch::NoGradGuard no_grad;
  transform_.normal_(0, options.transform_deviation);
}

torch::Tensor Capsule::primary_capsules(const WordBatch& batch) {
  const std::int64_t documents = batch.ids.size(0);
  const std::int64_t words = std::min(batch.ids.size(1), num_words_);
  // A place without a word has capsules of length zero, and padding adds nothing to a window: where
  // all documents are short, neither is made.
  const std::int64_t places = std::min(num_words_ - options_.window + 1, words);
  const std::int64_t window = std::min(options_.window, words);
  const auto I = encoder_(batch) * batch.mask.unsqueeze(-1);  // (B, N, w)
  const auto filled =
      torch::constant_pad_nd(I.slice(1, 0, words), {0, 0, 0, places + window - 1 - words});
  // One product over all windows, which is faster than torch::conv1d.
  const auto windows = filled.unfold(1, window, 1);  // (B, T, w, k)
  const auto filters = conv_->weight.slice(2, 0, window).flatten(1);
  const auto features =
      torch::relu(torch::linear(windows.flatten(2), filters, conv_->bias));  // (B, T, F s)
  const auto capsules =
      squash(features.view({documents, places, options_.kinds, options_.size}).transpose(1, 2));
  const auto has_word = torch::arange(places) < batch.lengths.unsqueeze(1);  // (B, T)
  return capsules * has_word.view({documents, 1, places, 1});                // (B, F, T, s)
}

torch::Tensor Capsule::lengths(const WordBatch& batch) {
  const auto u = primary_capsules(batch).contiguous();  // (B, F, T, s)
  const auto W = flat_transform();
  // Q and X have M F s numbers for each document.
  constexpr std::int64_t kMostNumbers = 1 << 24;
  const std::int64_t at_once = std::max<std::int64_t>(kMostNumbers / (W.size(0) * W.size(2)), 1);
  std::vector<torch::Tensor> all;
  for (const torch::Tensor& part : u.split(at_once)) all.push_back(route(part, W));
  return torch::cat(all);  // (B, M)
}

/// The transform as it is multiplied with, (M, S, F s).
torch::Tensor Capsule::flat_transform() const { return transform_.transpose(1, 2).flatten(2); }

torch::Tensor Capsule::route(const torch::Tensor& u, const torch::Tensor& W) const {
  torch::Tensor V;  // (M, B, S)
  {
    const torch::NoGradGuard no_grad;  // only the last round learns
    for (std::int64_t round = 1; round < options_.routings; ++round) {
      const auto v = squash(weighted_sum(u, W, V));
      V = V.defined() ? V + v : v;
    }
  }
  return length(squash(weighted_sum(u, W, V))).t();  // (B, M)
}

torch::Tensor Capsule::margin_loss(const torch::Tensor& lengths, const torch::Tensor& targets) {
  constexpr double kPresent = 0.9;
  constexpr double kAbsent = 0.1;
  constexpr double kWeightOfAbsent = 0.5;
  const auto missing = torch::relu(kPresent - lengths).square();
  const auto excess = torch::relu(lengths - kAbsent).square();
  return (targets * missing + kWeightOfAbsent * (1 - targets) * excess).sum() / targets.size(0);
}

torch::Tensor Capsule::loss(const WordBatch& batch, const torch::Tensor& targets) {
  return margin_loss(lengths(batch), targets);
}

ModelScores Capsule::scores(const WordBatch& batch) { return {{}, {}, lengths(batch)}; }

void Capsule::constrain_parameters() {
  const torch::NoGradGuard no_grad;
  conv_->weight.renorm_(/*p=*/2, /*dim=*/0, options_.max_norm);
}

}  // namespace hmtc
