#pragma once

#include <torch/torch.h>

namespace hmtc {

/// x W^T + b for x (B, in), W (out, in), b (out) or undefined. Without gradients by kernels
/// that read W where it lies, on up to `threads` threads: the same bits on any number of them.
/// Otherwise torch::linear.
torch::Tensor dense(const torch::Tensor& x, const torch::Tensor& W, const torch::Tensor& b,
                    int threads);

}  // namespace hmtc
