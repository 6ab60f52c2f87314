#pragma once

#include <torch/torch.h>

#include <vector>

namespace hmtc {

/// A bidirectional GRU over sequences of different lengths, by the kernels (floats on the CPU):
/// vectors (B, N, e) to (B, N, 2 width), zero at padding. Each direction starts at the sequence's
/// own first or last vector. `parameters` are those of torch::nn::GRU, in its order.
torch::Tensor bi_gru(const torch::Tensor& vectors, const torch::Tensor& lengths,
                     const std::vector<torch::Tensor>& parameters);

}  // namespace hmtc
