#pragma once

#include <cstddef>
#include <vector>

#include "kernels/packed_matrix.h"
#include "kernels/step_order.h"

namespace hmtc {

/// The parameters of one direction, row-major, in PyTorch's layout: gates r, z, n.
struct GruWeights {
  std::size_t input_width;
  std::size_t width;
  const float* input;      ///< W (3 width, input_width)
  const float* recurrent;  ///< U (3 width, width)
  const float* input_bias;
  const float* recurrent_bias;  ///< c
};

/// The parameters of one direction as the forward pass reads them. It holds a copy: where they do
/// not change, it is made once.
struct PackedGru {
  explicit PackedGru(const GruWeights& weights);

  std::size_t input_width;
  std::size_t width;
  PackedMatrix input;       ///< (input_width, 3 width): r, z, n
  PackedMatrix recurrent;   ///< (width, 3 width): n, r, z
  std::vector<float> bias;  ///< (4 width), as GruTrace's gates
};

/// What the backward pass needs of the forward pass; rows in the order of the steps.
struct GruTrace {
  Buffer inputs;  ///< (rows, input_width)
  Buffer gates;   ///< (rows, 4 width): q = U_n h + c_n; r, z, n after their functions
  Buffer hidden;  ///< (rows, width)
};

/// One direction of a GRU over the documents of `order`:  r, z = sigmoid(W x + b + U h + c),
///   n = tanh(W_n x + b_n + r (U_n h + c_n)),   h = (1 - z) n + z h.
/// Reads row r of a word at words[r * input_width], writes its hidden state at
/// out[r * out_stride]. Rows of `out` that no word has are not touched.
GruTrace gru_forward(const PackedGru& weights, const StepOrder& order, const float* words,
                     float* out, std::size_t out_stride);

/// Gradients of one direction; all are added to.
struct GruGradients {
  float* words;  ///< as gru_forward's `words`
  float* input;
  float* recurrent;
  float* input_bias;
  float* recurrent_bias;
};

/// `trace` is used up. `out_gradient` has the layout of gru_forward's `out`.
void gru_backward(const GruWeights& weights, const StepOrder& order, GruTrace trace,
                  const float* out_gradient, std::size_t out_stride, const GruGradients& gradients);

}  // namespace hmtc
