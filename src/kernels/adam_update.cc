#include "kernels/adam_update.h"

#include <cmath>

namespace hmtc {

void adam_update(const AdamStep& step, float gradient_scale, std::span<const float> gradients,
                 std::span<float> values, std::span<float> first_moments,
                 std::span<float> second_moments) {
  const auto n = static_cast<double>(step.number);
  const auto rate = static_cast<float>(step.learning_rate / (1 - std::pow(step.beta1, n)));
  const auto root_correction = static_cast<float>(1 / std::sqrt(1 - std::pow(step.beta2, n)));
  const auto epsilon = static_cast<float>(step.epsilon);
  const auto beta1 = static_cast<float>(step.beta1);
  const auto beta2 = static_cast<float>(step.beta2);
  const auto one_minus_beta1 = static_cast<float>(1 - step.beta1);
  const auto one_minus_beta2 = static_cast<float>(1 - step.beta2);
  // Restricted pointers let the compiler use vector instructions for the whole loop.
  const float* __restrict gradient = gradients.data();
  float* __restrict value = values.data();
  float* __restrict m = first_moments.data();
  float* __restrict v = second_moments.data();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float g = gradient[i] * gradient_scale;
    m[i] = beta1 * m[i] + one_minus_beta1 * g;
    v[i] = beta2 * v[i] + one_minus_beta2 * g * g;
    value[i] -= rate * m[i] / (std::sqrt(v[i]) * root_correction + epsilon);
  }
}

}  // namespace hmtc
