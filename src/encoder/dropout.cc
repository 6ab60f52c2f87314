#include "encoder/dropout.h"

namespace hmtc {

torch::Tensor dropout(const torch::Tensor& values, double rate, bool is_training,
                      const RandomSource& random) {
  if (!is_training || rate == 0) return values;
  const double kept = 1 - rate;
  return values * torch::empty_like(values).bernoulli_(kept, random).div_(kept);
}

}  // namespace hmtc
