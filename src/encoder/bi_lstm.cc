#include "encoder/bi_lstm.h"

#include "encoder/bi_recurrent.h"
#include "kernels/lstm.h"

namespace hmtc {
namespace {

struct LstmCell {
  using Weights = LstmWeights;
  using Packed = PackedLstm;
  using Trace = LstmTrace;

  static Trace forward(const Packed& packed, const StepOrder& order, const float* words, float* out,
                       std::size_t out_stride) {
    return lstm_forward(packed, order, words, out, out_stride);
  }

  static void backward(const Weights& weights, const StepOrder& order, Trace trace,
                       const float* out_gradient, std::size_t out_stride, float* words,
                       const std::vector<float*>& parameters) {
    lstm_backward(weights, order, std::move(trace), out_gradient, out_stride,
                  {words, parameters[0], parameters[1], parameters[2]});
    std::copy_n(parameters[2], 4 * weights.width, parameters[3]);  // the biases stand in a sum
  }
};

}  // namespace

bool bi_lstm_kernel_applies(const torch::Tensor& vectors) {
  return vectors.is_cpu() && vectors.scalar_type() == torch::kFloat32;
}

torch::Tensor bi_lstm(const torch::Tensor& vectors, const torch::Tensor& lengths,
                      const std::vector<torch::Tensor>& parameters) {
  return BiRecurrent<LstmCell>::apply(vectors, lengths, parameters);
}

}  // namespace hmtc
