#pragma once

#include <cstdint>
#include <span>

namespace hmtc {

/// What one Adam step has in common for all parameters (Kingma and Ba 2015).
struct AdamStep {
  double learning_rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0;  ///< decoupled (Loshchilov and Hutter 2019)
  std::int64_t number = 1;  ///< counted from 1, for the bias corrections
};

/// Moves the values along their gradients, which are multiplied by `gradient_scale` first:
///   m = beta1 m + (1 - beta1) g,   v = beta2 v + (1 - beta2) g^2,
///   value = (1 - learning_rate * weight_decay) value
///           - learning_rate / (1 - beta1^n) * m / (sqrt(v) / sqrt(1 - beta2^n) + epsilon).
/// All arrays have the same length.
void adam_update(const AdamStep& step, float gradient_scale, std::span<const float> gradients,
                 float* values, float* first_moments, float* second_moments);

}  // namespace hmtc
