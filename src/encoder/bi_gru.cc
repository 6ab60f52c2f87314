#include "encoder/bi_gru.h"

#include "encoder/bi_recurrent.h"
#include "kernels/gru.h"

namespace hmtc {
namespace {

struct GruCell {
  using Weights = GruWeights;
  using Packed = PackedGru;
  using Trace = GruTrace;

  static Trace forward(const Packed& packed, const StepOrder& order, const float* words, float* out,
                       std::size_t out_stride) {
    return gru_forward(packed, order, words, out, out_stride);
  }

  static void backward(const Weights& weights, const StepOrder& order, Trace trace,
                       const float* out_gradient, std::size_t out_stride, float* words,
                       const std::vector<float*>& parameters) {
    gru_backward(weights, order, std::move(trace), out_gradient, out_stride,
                 {words, parameters[0], parameters[1], parameters[2], parameters[3]});
  }
};

}  // namespace

torch::Tensor bi_gru(const torch::Tensor& vectors, const torch::Tensor& lengths,
                     const std::vector<torch::Tensor>& parameters) {
  return BiRecurrent<GruCell>::apply(vectors, lengths, parameters);
}

}  // namespace hmtc
