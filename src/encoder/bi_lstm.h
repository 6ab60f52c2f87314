#pragma once

#include <torch/torch.h>

#include <vector>

namespace hmtc {

/// The kernels know floats on the CPU; for anything else there is torch::nn::LSTM.
bool bi_lstm_kernel_applies(const torch::Tensor& vectors);

/// A bidirectional LSTM over documents of different lengths, by the kernels: vectors (B, N, e) to
/// (B, N, 2 width), zero at padding. Each direction starts at the document's own first or last
/// word. `parameters` are those of torch::nn::LSTM, in its order.
torch::Tensor bi_lstm(const torch::Tensor& vectors, const torch::Tensor& lengths,
                      const std::vector<torch::Tensor>& parameters);

}  // namespace hmtc
