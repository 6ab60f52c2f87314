#include "model/parent_prior.h"

namespace hmtc {
namespace {

/// P(label) = P(parent) P(label | parent), and for a rare label the logit is about the logarithm of
/// its probability: with one the rest of the logit says what speaks for the label given its parent.
constexpr double kBetaAtStart = 1.0;

}  // namespace

ParentPriorImpl::ParentPriorImpl(const LabelGraph& graph) : graph_(graph) {
  const auto lower_levels = static_cast<std::int64_t>(graph.num_levels()) - 1;
  beta_ = register_parameter("beta", torch::full({lower_levels}, kBetaAtStart));
}

torch::Tensor ParentPriorImpl::forward(const torch::Tensor& logits, const torch::Tensor& above,
                                       std::size_t level) {
  const auto parents = graph_.least_of_parents(above.detach(), level);  // (B, L)
  return logits + beta_[static_cast<std::int64_t>(level) - 1] * torch::log_sigmoid(parents);
}

}  // namespace hmtc
