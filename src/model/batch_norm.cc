#include "model/batch_norm.h"

namespace hmtc {

BatchNormImpl::BatchNormImpl(std::int64_t width) {
  weight_ = register_parameter("weight", torch::ones({width}));
  bias_ = register_parameter("bias", torch::zeros({width}));
  running_mean_ = register_buffer("running_mean", torch::zeros({width}));
  running_var_ = register_buffer("running_var", torch::ones({width}));
}

torch::Tensor BatchNormImpl::forward(const torch::Tensor& x) {
  constexpr double kMomentum = 0.1;
  constexpr double kEpsilon = 1e-5;
  return torch::batch_norm(x, weight_, bias_, running_mean_, running_var_,
                           is_training() && x.size(0) > 1, kMomentum, kEpsilon,
                           /*cudnn_enabled=*/false);
}

}  // namespace hmtc
