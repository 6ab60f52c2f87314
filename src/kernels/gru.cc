#include "kernels/gru.h"

#include <algorithm>

#include "kernels/gru_cells.h"
#include "kernels/sums.h"

namespace hmtc {
namespace {

/// U with the rows of n before those of r and z. A row of gates holds q, r, z, n, so that the
/// factors of U (q, r, z) and those of W (r, z, n) each stand side by side.
std::vector<float> candidate_first(const GruWeights& weights) {
  const std::size_t part = weights.width * weights.width;
  std::vector<float> rows(3 * part);
  std::copy_n(weights.recurrent + 2 * part, part, rows.begin());
  std::copy_n(weights.recurrent, 2 * part, rows.begin() + static_cast<std::ptrdiff_t>(part));
  return rows;
}

/// From the last step to the first: the trace's gates become their gradients.
void steps_backward(const GruWeights& weights, const StepOrder& order, const float* out_gradient,
                    std::size_t out_stride, GruTrace& trace) {
  const std::size_t width = weights.width;
  const PackedMatrix recurrent =
      PackedMatrix::of(candidate_first(weights).data(), width, 3 * width, width);
  std::vector<float> hidden_gradient(order.step_size(0) * width);  // of the step at hand
  for (std::size_t t = order.num_steps(); t-- > 0;) {
    const std::size_t begin = order.step_begin(t);
    const std::size_t count = order.step_size(t);
    float* gates = trace.gates.data() + begin * 4 * width;
    // Documents that end with this step have nothing from the step after: their rows are still 0.
    order.gather_add(t, out_gradient, out_stride, width, hidden_gradient.data());
    const float* before = t > 0 ? trace.hidden.data() + order.step_begin(t - 1) * width : nullptr;
    gru_cells_backward({count, width}, before, gates, hidden_gradient.data());
    if (t > 0) {
      multiply({count, width, 3 * width}, {gates, 4 * width}, recurrent.factor(),
               hidden_gradient.data(), width, Into::kAdd);
    }
  }
}

/// From the gates' gradients, over all steps at once. The state before a row of step t is that of
/// step t - 1.
void recurrent_gradient(const StepOrder& order, const GruTrace& trace, std::size_t width,
                        float* gradient) {
  const std::size_t first = order.step_begin(1);
  const std::size_t rows = order.num_rows() - first;
  const Buffer before = order.states_before(trace.hidden.data(), width);
  const PackedMatrix states = PackedMatrix::of(before.data(), width, rows, width);
  const float* q = trace.gates.data() + first * 4 * width;
  multiply({2 * width, width, rows}, {q + width, 1, 4 * width}, states.factor(), gradient, width,
           Into::kAdd);
  multiply({width, width, rows}, {q, 1, 4 * width}, states.factor(), gradient + 2 * width * width,
           width, Into::kAdd);
}

void bias_gradients(const Buffer& gates, std::size_t rows, std::size_t width,
                    const GruGradients& gradients) {
  for (std::size_t row = 0; row < rows; ++row) {
    const float* q = gates.data() + row * 4 * width;
    const float* r = q + width;
    add_to({r, 3 * width}, gradients.input_bias);
    add_to({r, 2 * width}, gradients.recurrent_bias);
    add_to({q, width}, gradients.recurrent_bias + 2 * width);
  }
}

}  // namespace

PackedGru::PackedGru(const GruWeights& weights)
    : input_width(weights.input_width),
      width(weights.width),
      input(PackedMatrix::of_transpose(weights.input, input_width, input_width, 3 * width)),
      recurrent(
          PackedMatrix::of_transpose(candidate_first(weights).data(), width, width, 3 * width)),
      bias(weights.recurrent_bias + 2 * width, weights.recurrent_bias + 3 * width) {
  bias.insert(bias.end(), weights.input_bias, weights.input_bias + 3 * width);
  for (std::size_t j = 0; j < 2 * width; ++j) bias[width + j] += weights.recurrent_bias[j];
}

GruTrace gru_forward(const PackedGru& weights, const StepOrder& order, const float* words,
                     float* out, std::size_t out_stride) {
  const std::size_t rows = order.num_rows();
  const std::size_t width = weights.width;
  const std::size_t input_width = weights.input_width;
  GruTrace trace{order.gather(words, input_width), Buffer(rows * 4 * width), Buffer(rows * width)};
  for (std::size_t row = 0; row < rows; ++row) {
    std::copy(weights.bias.begin(), weights.bias.end(), trace.gates.data() + row * 4 * width);
  }
  multiply({rows, 3 * width, input_width}, {trace.inputs.data(), input_width},
           weights.input.factor(), trace.gates.data() + width, 4 * width, Into::kAdd);

  for (std::size_t t = 0; t < order.num_steps(); ++t) {
    const std::size_t begin = order.step_begin(t);
    const std::size_t count = order.step_size(t);
    float* gates = trace.gates.data() + begin * 4 * width;
    const float* before = nullptr;
    if (t > 0) {
      before = trace.hidden.data() + order.step_begin(t - 1) * width;
      multiply({count, 3 * width, width}, {before, width}, weights.recurrent.factor(), gates,
               4 * width, Into::kAdd);
    }
    gru_cells_forward({count, width}, before, gates, trace.hidden.data() + begin * width);
  }
  order.scatter(trace.hidden.data(), width, out, out_stride);
  return trace;
}

void gru_backward(const GruWeights& weights, const StepOrder& order, GruTrace trace,
                  const float* out_gradient, std::size_t out_stride,
                  const GruGradients& gradients) {
  const std::size_t rows = order.num_rows();
  if (rows == 0) return;
  const std::size_t width = weights.width;
  const std::size_t input_width = weights.input_width;
  steps_backward(weights, order, out_gradient, out_stride, trace);
  bias_gradients(trace.gates, rows, width, gradients);
  recurrent_gradient(order, trace, width, gradients.recurrent);

  const float* r = trace.gates.data() + width;
  const PackedMatrix inputs = PackedMatrix::of(trace.inputs.data(), input_width, rows, input_width);
  multiply({3 * width, input_width, rows}, {r, 1, 4 * width}, inputs.factor(), gradients.input,
           input_width, Into::kAdd);
  const PackedMatrix input = PackedMatrix::of(weights.input, input_width, 3 * width, input_width);
  multiply({rows, input_width, 3 * width}, {r, 4 * width}, input.factor(), trace.inputs.data(),
           input_width, Into::kSet);
  order.scatter_add(trace.inputs.data(), input_width, gradients.words);
}

}  // namespace hmtc
