#pragma once

#include <torch/torch.h>

namespace hmtc {

/// Batch normalisation of (B, width) with running statistics for prediction. A batch of one
/// document has no spread: it is normalised by the running statistics, and leaves them as they are.
class BatchNormImpl : public torch::nn::Module {
 public:
  explicit BatchNormImpl(std::int64_t width);

  torch::Tensor forward(const torch::Tensor& x);

 private:
  torch::Tensor weight_, bias_, running_mean_, running_var_;
};
TORCH_MODULE(BatchNorm);

}  // namespace hmtc
