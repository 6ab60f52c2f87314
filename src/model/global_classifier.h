#pragma once

#include <torch/torch.h>

#include "config/options.h"

namespace hmtc {

/// A hidden layer and an output over all labels: f_g of Eq. 15, and HARNN's global classifier.
class GlobalClassifierImpl : public torch::nn::Module {
 public:
  enum class Highway { kNone, kOne };

  GlobalClassifierImpl(const ModelOptions& options, Highway highway, std::int64_t input_width,
                       std::int64_t num_labels);

  /// (B, input_width) to logits (B, M); the seed decides the dropout.
  torch::Tensor forward(const torch::Tensor& v_g, std::uint64_t seed = 0);

 private:
  double dropout_;
  torch::nn::Linear hidden_, output_;
  torch::nn::Linear transform_{nullptr}, gate_{nullptr};  // of the highway
};
TORCH_MODULE(GlobalClassifier);

}  // namespace hmtc
