#include "model/loss.h"

#include <cmath>

namespace hmtc {
namespace {

struct Focus {
  double gamma_positive;
  double gamma_negative;
  double margin;
};

/// The asymmetric loss of Ridnik et al. (2021) with p = sigmoid(logit), p_m = max(p - margin, 0):
///   -z (1 - p)^gamma_positive log p - (1 - z) p_m^gamma_negative log(1 - p_m).
/// All in logarithms, because 1 - p of a large logit is 0 in floats.
torch::Tensor focused_loss(const Focus& focus, const torch::Tensor& logits,
                           const torch::Tensor& targets) {
  // A power below one has no gradient at 0, where it is multiplied by a logarithm that is 0.
  constexpr double kLeastBase = 1e-12;
  const auto log_p = torch::log_sigmoid(logits);
  const auto log_not_p = torch::log_sigmoid(-logits);
  const auto log_margin = torch::scalar_tensor(std::log(focus.margin), logits.options());
  const auto log_not_p_m = torch::logaddexp(log_not_p, log_margin).clamp_max(0);
  const auto p_m = (-torch::expm1(log_not_p_m)).clamp_min(kLeastBase);
  const auto present = torch::exp(focus.gamma_positive * log_not_p) * log_p;
  const auto absent = torch::pow(p_m, focus.gamma_negative) * log_not_p_m;
  return -(targets * present + (1 - targets) * absent).sum();
}

}  // namespace

torch::Tensor sum_of_losses(const LossOptions& options, const torch::Tensor& logits,
                            const torch::Tensor& targets) {
  switch (options.kind) {
    case Loss::kCrossEntropy:
      break;
    case Loss::kFocal:  // Lin et al. 2017, without their weight alpha
      return focused_loss({options.gamma_negative, options.gamma_negative, 0}, logits, targets);
    case Loss::kAsymmetric:
      return focused_loss({options.gamma_positive, options.gamma_negative, options.margin}, logits,
                          targets);
  }
  return torch::binary_cross_entropy_with_logits(logits, targets, {}, {}, at::Reduction::Sum);
}

}  // namespace hmtc
