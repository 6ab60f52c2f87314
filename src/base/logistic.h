#pragma once

#include <algorithm>
#include <cmath>

namespace hmtc {

inline float sigmoid(float logit) { return 1.0F / (1.0F + std::exp(-logit)); }

/// The logit of a probability, held within ±16, where a float's distance to 1 ends.
inline float bounded_logit(float probability) {
  constexpr float kMost = 16;
  const double p = probability;
  return std::clamp(static_cast<float>(std::log(p) - std::log1p(-p)), -kMost, kMost);
}

}  // namespace hmtc
