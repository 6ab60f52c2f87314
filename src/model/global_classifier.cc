#include "model/global_classifier.h"

#include "encoder/dropout.h"

namespace hmtc {

GlobalClassifierImpl::GlobalClassifierImpl(const ModelOptions& options, Highway highway,
                                           std::int64_t input_width, std::int64_t num_labels)
    : dropout_(options.global_dropout),
      hidden_(input_width, options.global_width),
      output_(options.global_width, num_labels) {
  register_module("hidden", hidden_);
  register_module("output", output_);
  if (highway == Highway::kNone) return;
  const auto layers = register_module("highway", std::make_shared<torch::nn::Module>());
  const std::int64_t g = options.global_width;
  transform_ = layers->register_module("transform", torch::nn::Linear(g, g));
  gate_ = layers->register_module("gate", torch::nn::Linear(g, g));
}

torch::Tensor GlobalClassifierImpl::forward(const torch::Tensor& v_g, std::uint64_t seed) {
  auto x = torch::relu(hidden_(v_g));  // (B, g)  D10
  if (gate_) {
    const auto t = torch::sigmoid(gate_(x));           // (B, g)  D7
    x = t * torch::relu(transform_(x)) + (1 - t) * x;  // (B, g)
  }
  x = dropout(x, dropout_, is_training(), seed);  // D8
  return output_(x);                              // (B, M)
}

}  // namespace hmtc
