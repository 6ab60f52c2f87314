#pragma once

#include <torch/torch.h>

namespace hmtc {

/// X (M, B, F, s) from the capsules u (B, F, T, s) and Q (M, B, F, s): each capsule is shared out
/// among the labels by c = softmax over the labels of u . Q, and X sums c u over the places.
/// Gradients take c for a constant, and Q has none. On a CPU, in floats, a kernel makes it
/// (kernels/routing.h).
torch::Tensor routed_sum(const torch::Tensor& u, const torch::Tensor& Q);

/// The same composed of tensor operations, on any device; it holds c, (B, F, T, M).
torch::Tensor composed_routed_sum(const torch::Tensor& u, const torch::Tensor& Q);

}  // namespace hmtc
