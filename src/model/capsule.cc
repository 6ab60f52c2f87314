// The capsule network, to be read beside section 3 of "Hierarchical Multi-label Classification of
// Text with Capsule Networks" (Aly et al. 2019).
//
//   B documents   T places of the window    F kinds of capsules at a place   s size of a capsule
//   M labels      S size of a label's capsule
//
// A capsule u of kind f predicts the vector W_jf u for label j. These predictions, T F M S numbers
// per document, are never held, nor are the routing weights c of more than a few documents:
//   s_j = sum over all u of c W_jf u = sum over f of W_jf X_jf,   X_jf = sum over places of c u
//   b_uj = W_jf u . V_j = u . Q_jf,   Q_jf = W_jf^T V_j,   V_j the sum of all v_j so far
#include "model/capsule.h"

#include <algorithm>

#include "model/initialise.h"

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

/// X (B, F, M, s) from the capsules u (B, F, T, s) and Q (B, F, M, s): each capsule is shared out
/// among the labels by c = softmax over the labels of u . Q, which gradients take for a constant.
/// The weights c of a few documents at a time are made, and made again in the backward pass.
class RoutedSum : public torch::autograd::Function<RoutedSum> {
 public:
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& u,
                               const torch::Tensor& Q) {
    context->save_for_backward({u, Q});
    std::vector<torch::Tensor> X;
    for_each_part(u, Q, [&](const torch::Tensor& part, const torch::Tensor& c, std::int64_t) {
      X.push_back(torch::matmul(c.transpose(2, 3), part));  // (b, F, M, s)
    });
    return torch::cat(X);
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& outputs) {
    const auto saved = context->get_saved_variables();
    const torch::Tensor& u = saved[0];
    const torch::Tensor& Q = saved[1];
    std::vector<torch::Tensor> of_u;
    for_each_part(u, Q, [&](const torch::Tensor& part, const torch::Tensor& c, std::int64_t begin) {
      of_u.push_back(
          torch::matmul(c, outputs[0].slice(0, begin, begin + part.size(0))));  // (b, F, T, s)
    });
    return {torch::cat(of_u), torch::Tensor()};
  }

 private:
  /// Calls work(u, c, first document) for a few documents at a time, with c (b, F, T, M).
  template <typename Work>
  static void for_each_part(const torch::Tensor& u, const torch::Tensor& Q, const Work& work) {
    constexpr std::int64_t kMostWeights = 1 << 22;
    const std::int64_t of_document = u.size(1) * u.size(2) * Q.size(2);
    const std::int64_t documents = std::max<std::int64_t>(kMostWeights / of_document, 1);
    for (std::int64_t begin = 0; begin < u.size(0); begin += documents) {
      const auto part = u.slice(0, begin, begin + documents);
      const auto keys = Q.slice(0, begin, begin + documents).transpose(2, 3);
      work(part, torch::softmax(torch::matmul(part, keys), -1), begin);
    }
  }
};

}  // namespace

CapsuleNetwork::CapsuleNetwork(const CapsuleOptions& options, std::int64_t max_words,
                               Encoder encoder, std::int64_t num_labels)
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

torch::Tensor CapsuleNetwork::primary_capsules(const WordBatch& batch) {
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

/// s_j = sum over f of W_jf X_jf, (B, M, S).
torch::Tensor CapsuleNetwork::weighted_sum(const torch::Tensor& X) const {
  const std::int64_t labels = transform_.size(0);
  const auto of_label = X.permute({2, 0, 1, 3}).reshape({labels, X.size(0), -1});  // (M, B, F s)
  const auto W = transform_.permute({0, 1, 3, 2}).reshape({labels, -1, options_.label_size});
  return torch::bmm(of_label, W).transpose(0, 1);
}

/// Q_jf = W_jf^T V_j, (B, F, M, s).
torch::Tensor CapsuleNetwork::agreement(const torch::Tensor& V) const {
  const std::int64_t labels = transform_.size(0);
  const auto W = transform_.transpose(1, 2).reshape({labels, options_.label_size, -1});
  const auto Q = torch::bmm(V.transpose(0, 1), W);  // (M, B, F s)
  return Q.view({labels, V.size(0), options_.kinds, options_.size})
      .permute({1, 2, 0, 3})
      .contiguous();
}

torch::Tensor CapsuleNetwork::lengths(const WordBatch& batch) {
  const auto u = primary_capsules(batch).contiguous();  // (B, F, T, s)
  const std::int64_t labels = transform_.size(0);
  torch::Tensor Q = torch::zeros({u.size(0), options_.kinds, labels, options_.size}, u.options());
  {
    const torch::NoGradGuard no_grad;  // only the last round learns
    torch::Tensor V = torch::zeros({u.size(0), labels, options_.label_size}, u.options());
    for (std::int64_t round = 1; round < options_.routings; ++round) {
      V = V + squash(weighted_sum(RoutedSum::apply(u, Q)));
      Q = agreement(V);
    }
  }
  return length(squash(weighted_sum(RoutedSum::apply(u, Q))));  // (B, M)
}

torch::Tensor CapsuleNetwork::margin_loss(const torch::Tensor& lengths,
                                          const torch::Tensor& targets) {
  constexpr double kPresent = 0.9;
  constexpr double kAbsent = 0.1;
  constexpr double kWeightOfAbsent = 0.5;
  const auto missing = torch::relu(kPresent - lengths).square();
  const auto excess = torch::relu(lengths - kAbsent).square();
  return (targets * missing + kWeightOfAbsent * (1 - targets) * excess).sum() / targets.size(0);
}

torch::Tensor CapsuleNetwork::loss(const WordBatch& batch, const torch::Tensor& targets) {
  return margin_loss(lengths(batch), targets);
}

ModelScores CapsuleNetwork::scores(const WordBatch& batch) { return {{}, {}, lengths(batch)}; }

void CapsuleNetwork::constrain_parameters() {
  const torch::NoGradGuard no_grad;
  conv_->weight.renorm_(/*p=*/2, /*dim=*/0, options_.max_norm);
}

}  // namespace hmtc
