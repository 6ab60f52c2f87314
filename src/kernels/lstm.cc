#include "kernels/lstm.h"

#include "kernels/lstm_cells.h"
#include "kernels/packed_matrix.h"

namespace hmtc {

PackedLstm::PackedLstm(const LstmWeights& weights)
    : input_width(weights.input_width),
      width(weights.width),
      input(PackedMatrix::of_transpose(weights.input, input_width, input_width, 4 * width)),
      recurrent(PackedMatrix::of_transpose(weights.recurrent, width, width, 4 * width)),
      bias(weights.input_bias, weights.input_bias + 4 * width) {
  for (std::size_t j = 0; j < bias.size(); ++j) bias[j] += weights.recurrent_bias[j];
}

LstmTrace lstm_forward(const PackedLstm& weights, const StepOrder& order, const float* words,
                       float* out, std::size_t out_stride) {
  const std::size_t rows = order.num_rows();
  const std::size_t width = weights.width;
  const std::size_t input_width = weights.input_width;
  LstmTrace trace{order.gather(words, input_width), Buffer(rows * 4 * width), Buffer(rows * width),
                  Buffer(rows * width)};
  multiply({rows, 4 * width, input_width}, {trace.inputs.data(), input_width},
           weights.input.factor(), trace.gates.data(), 4 * width, Into::kSet);

  for (std::size_t t = 0; t < order.num_steps(); ++t) {
    const std::size_t begin = order.step_begin(t);
    const std::size_t count = order.step_size(t);
    float* gates = trace.gates.data() + begin * 4 * width;
    const float* cells_before = nullptr;
    if (t > 0) {
      const std::size_t before = order.step_begin(t - 1);
      cells_before = trace.cells.data() + before * width;
      multiply({count, 4 * width, width}, {trace.hidden.data() + before * width, width},
               weights.recurrent.factor(), gates, 4 * width, Into::kAdd);
    }
    lstm_cells_forward({count, width}, weights.bias.data(), cells_before, gates,
                       trace.cells.data() + begin * width, trace.hidden.data() + begin * width);
  }
  order.scatter(trace.hidden.data(), width, out, out_stride);
  return trace;
}

void lstm_backward(const LstmWeights& weights, const StepOrder& order, LstmTrace trace,
                   const float* out_gradient, std::size_t out_stride,
                   const LstmGradients& gradients) {
  const std::size_t rows = order.num_rows();
  if (rows == 0) return;
  const std::size_t width = weights.width;
  const std::size_t input_width = weights.input_width;
  const PackedMatrix recurrent = PackedMatrix::of(weights.recurrent, width, 4 * width, width);

  // From the last step to the first: the gates become their gradients.
  const std::size_t most = order.step_size(0);
  std::vector<float> hidden_gradient(most * width);  // of the step at hand
  std::vector<float> cells_gradient(most * width);
  for (std::size_t t = order.num_steps(); t-- > 0;) {
    const std::size_t begin = order.step_begin(t);
    const std::size_t count = order.step_size(t);
    float* gates = trace.gates.data() + begin * 4 * width;
    // Documents that end with this step have nothing from the step after: their rows are still 0.
    order.gather_add(t, out_gradient, out_stride, width, hidden_gradient.data());
    const float* cells_before =
        t > 0 ? trace.cells.data() + order.step_begin(t - 1) * width : nullptr;
    lstm_cells_backward({count, width}, cells_before, trace.cells.data() + begin * width,
                        hidden_gradient.data(), gates, cells_gradient.data(), gradients.bias);
    if (t > 0) {
      multiply({count, width, 4 * width}, {gates, 4 * width}, recurrent.factor(),
               hidden_gradient.data(), width, Into::kSet);
    }
  }

  // The parameters, over all steps at once. The state before a row of step t is that of step t - 1.
  const Buffer& gates = trace.gates;
  const PackedMatrix inputs = PackedMatrix::of(trace.inputs.data(), input_width, rows, input_width);
  multiply({4 * width, input_width, rows}, {gates.data(), 1, 4 * width}, inputs.factor(),
           gradients.input, input_width, Into::kAdd);
  const std::size_t first = order.step_begin(1);
  const Buffer before = order.states_before(trace.hidden.data(), width);
  const PackedMatrix states = PackedMatrix::of(before.data(), width, rows - first, width);
  multiply({4 * width, width, rows - first}, {gates.data() + first * 4 * width, 1, 4 * width},
           states.factor(), gradients.recurrent, width, Into::kAdd);

  const PackedMatrix input = PackedMatrix::of(weights.input, input_width, 4 * width, input_width);
  multiply({rows, input_width, 4 * width}, {gates.data(), 4 * width}, input.factor(),
           trace.inputs.data(), input_width, Into::kSet);
  order.scatter_add(trace.inputs.data(), input_width, gradients.words);
}

}  // namespace hmtc
