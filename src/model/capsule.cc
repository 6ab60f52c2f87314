// The capsule network, to be read beside section 3 of "Hierarchical Multi-label Classification of
// Text with Capsule Networks" (Aly et al. 2019).
//
//   B documents   T places of the window   F kinds of capsules at a place   s size of such a
//   capsule M labels      S size of a label's capsule
//
// A capsule u_(t,f) predicts for label j the vector W_jf u_(t,f). Neither these predictions (T F M
// S numbers per document) nor the routing weights of more than one document are held:
//   s_j     = sum over (t, f) of c W_jf u_(t,f) = sum over f of W_jf X_jf,  X_jf = sum over t of c
//   u b_(t,f)j = W_jf u_(t,f) . V_j = u_(t,f) . Q_jf,  Q_jf = W_jf^T V_j,  V_j the sum of all v_j
//   so far
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
/// The weights c of one document at a time are made, and made again in the backward pass.
class RoutedSum : public torch::autograd::Function<RoutedSum> {
 public:
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& u,
                               const torch::Tensor& Q) {
    context->save_for_backward({u, Q});
    torch::Tensor X = torch::empty_like(Q);
    for (std::int64_t i = 0; i < u.size(0); ++i) {
      X[i] = torch::bmm(weights(u[i], Q[i]).transpose(1, 2), u[i]);  // (F, M, s)
    }
    return X;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& outputs) {
    const auto saved = context->get_saved_variables();
    const torch::Tensor& u = saved[0];
    const torch::Tensor& Q = saved[1];
    torch::Tensor of_u = torch::empty_like(u);
    for (std::int64_t i = 0; i < u.size(0); ++i) {
      of_u[i] = torch::bmm(weights(u[i], Q[i]), outputs[0][i]);  // (F, T, s)
    }
    return {of_u, torch::Tensor()};
  }

 private:
  /// c (F, T, M) of one document.
  static torch::Tensor weights(const torch::Tensor& u, const torch::Tensor& Q) {
    return torch::softmax(torch::bmm(u, Q.transpose(1, 2)), -1);
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
  const auto I = encoder_(batch) * batch.mask.unsqueeze(-1);  // (B, N, w)
  const auto filled = torch::constant_pad_nd(I.slice(1, 0, words),
                                             {0, 0, 0, num_words_ - words});  // (B, max_words, w)
  const auto features = torch::relu(conv_(filled.transpose(1, 2)));           // (B, F s, T)
  const std::int64_t places = features.size(2);
  const auto capsules =
      squash(features.view({documents, options_.kinds, options_.size, places}).transpose(2, 3));
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
