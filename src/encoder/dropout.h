#pragma once

#include <torch/torch.h>

namespace hmtc {

/// Where a forward pass takes its random numbers from: a generator of its own, so that passes on
/// several threads do not draw from one another's; without one, torch's global generator.
using RandomSource = c10::optional<at::Generator>;

/// Inverted dropout: elements become zero with the probability `rate`, the others grow by
/// 1 / (1 - rate). The identity when not training.
torch::Tensor dropout(const torch::Tensor& values, double rate, bool is_training,
                      const RandomSource& random);

}  // namespace hmtc
