#pragma once

#include <cstddef>

namespace hmtc {

/// `count` documents' cells of one step, `width` wide. A null pointer to the cells before stands
/// for zeros.
struct LstmStep {
  std::size_t count;
  std::size_t width;
};

/// gates (count, 4 width): i, f, g, o before bias (4 width) and functions, replaced by the values
/// after.
void lstm_cells_forward(const LstmStep& step, const float* bias, const float* cells_before,
                        float* gates, float* cells, float* hidden);

/// gates: the values after their functions, replaced by the gradients before them.
/// cells_gradient: of this step's cells on entry, of the step before on return. The bias's is added
/// to.
void lstm_cells_backward(const LstmStep& step, const float* cells_before, const float* cells,
                         const float* hidden_gradient, float* gates, float* cells_gradient,
                         float* bias_gradient);

}  // namespace hmtc
