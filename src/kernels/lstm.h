#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/product.h"

namespace hmtc {

/// The words of several documents in the order in which a recurrent network meets them: the first
/// words of all documents, longest document first, then the second words of those that have one,
/// and so on. Nothing is padded.
class StepOrder {
 public:
  enum class Direction { kForward, kBackward };

  /// Word n of document b is row b * words + n of the caller's matrices.
  StepOrder(std::span<const std::int64_t> lengths, std::size_t words, Direction direction);

  std::size_t num_steps() const { return step_begin_.size() - 1; }
  std::size_t num_rows() const { return word_row_.size(); }
  /// The rows of step t are [step_begin(t), step_begin(t + 1)), never more than those of step t
  /// - 1.
  std::size_t step_begin(std::size_t t) const { return step_begin_[t]; }
  std::size_t step_size(std::size_t t) const { return step_begin_[t + 1] - step_begin_[t]; }
  /// The caller's row for each row in the order of the steps.
  std::span<const std::size_t> word_rows() const { return word_row_; }

 private:
  std::vector<std::size_t> step_begin_;
  std::vector<std::size_t> word_row_;
};

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
