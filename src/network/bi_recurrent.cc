#include "network/bi_recurrent.h"

namespace hmtc {
namespace {

/// The four tensors of a direction, as the kernels' struct of weights has them.
template <typename Packed, typename KernelWeights>
Packed pack_direction(const Weights& weights, std::size_t gates, std::size_t input_width,
                      std::size_t width, const std::string& end) {
  const Matrix input = weights.matrix("weight_ih" + end, gates * width, input_width);
  const Matrix recurrent = weights.matrix("weight_hh" + end, gates * width, width);
  const std::vector<float> input_bias = weights.vector("bias_ih" + end, gates * width);
  const std::vector<float> recurrent_bias = weights.vector("bias_hh" + end, gates * width);
  return Packed(KernelWeights{input_width, width, input.data(), recurrent.data(), input_bias.data(),
                              recurrent_bias.data()});
}

}  // namespace

template <>
PackedLstm BiLstmLayer::pack(const Weights& weights, std::size_t input_width, std::size_t width,
                             const std::string& end) {
  return pack_direction<PackedLstm, LstmWeights>(weights, 4, input_width, width, end);
}

template <>
void BiLstmLayer::forward(const PackedLstm& weights, const StepOrder& order, const float* vectors,
                          float* out, std::size_t stride) {
  lstm_forward(weights, order, vectors, out, stride);
}

template <>
PackedGru BiGruLayer::pack(const Weights& weights, std::size_t input_width, std::size_t width,
                           const std::string& end) {
  return pack_direction<PackedGru, GruWeights>(weights, 3, input_width, width, end);
}

template <>
void BiGruLayer::forward(const PackedGru& weights, const StepOrder& order, const float* vectors,
                         float* out, std::size_t stride) {
  gru_forward(weights, order, vectors, out, stride);
}

}  // namespace hmtc
