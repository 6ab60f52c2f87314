#pragma once

#include <cstddef>
#include <vector>

#include "kernels/packed_matrix.h"
#include "kernels/step_order.h"

namespace hmtc {

/// The parameters of one direction, row-major, in PyTorch's layout: gates i, f, g, o.
struct LstmWeights {
  std::size_t input_width;
  std::size_t width;
  const float* input;      ///< (4 width, input_width)
  const float* recurrent;  ///< (4 width, width)
  const float* input_bias;
  const float* recurrent_bias;
};

/// The parameters of one direction as the forward pass reads them. It holds a copy: where they do
/// not change, it is made once.
struct PackedLstm {
  explicit PackedLstm(const LstmWeights& weights);

  std::size_t input_width;
  std::size_t width;
  PackedMatrix input;       ///< (input_width, 4 width)
  PackedMatrix recurrent;   ///< (width, 4 width)
  std::vector<float> bias;  ///< the sum of both
};

/// What the backward pass needs of the forward pass; rows in the order of the steps.
struct LstmTrace {
  Buffer inputs;  ///< (rows, input_width)
  Buffer gates;   ///< (rows, 4 width), after their functions
  Buffer cells;   ///< (rows, width)
  Buffer hidden;  ///< (rows, width)
};

/// One direction of an LSTM:  i, f, o = sigmoid, g = tanh of W x + U h + both biases,
///   c = f c + i g,   h = o tanh(c).
/// Reads row r of a word at words[r * input_width], writes its hidden state at
/// out[r * out_stride]. Rows of `out` that no word has are not touched.
LstmTrace lstm_forward(const PackedLstm& weights, const StepOrder& order, const float* words,
                       float* out, std::size_t out_stride);

/// Gradients of one direction; all are added to.
struct LstmGradients {
  float* words;  ///< as lstm_forward's `words`
  float* input;
  float* recurrent;
  float* bias;  ///< (4 width): the same for both biases
};

/// `trace` is used up. `out_gradient` has the layout of lstm_forward's `out`.
void lstm_backward(const LstmWeights& weights, const StepOrder& order, LstmTrace trace,
                   const float* out_gradient, std::size_t out_stride,
                   const LstmGradients& gradients);

}  // namespace hmtc
