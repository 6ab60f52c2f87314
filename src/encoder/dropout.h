#pragma once

#include <torch/torch.h>

#include <cstdint>

namespace hmtc {

/// Inverted dropout: elements become zero with the probability `rate`, the others grow by
/// 1 / (1 - rate). Which, the seed alone decides. The identity when not training.
torch::Tensor dropout(const torch::Tensor& values, double rate, bool is_training,
                      std::uint64_t seed);

}  // namespace hmtc
