#pragma once

#include <cstddef>

namespace hmtc {

/// `count` documents' cells of one step, `width` wide.
struct GruStep {
  std::size_t count;
  std::size_t width;
};

/// gates (count, 4 width): q = U_n h + c_n, then r, z, n, which come as W x + both biases (and U h
/// for r and z) and are replaced by the values after their functions. A null `hidden_before` stands
/// for zeros.
void gru_cells_forward(const GruStep& step, const float* hidden_before, float* gates,
                       float* hidden);

/// gates: as gru_cells_forward left them, replaced by the gradients of q and of r, z, n before
/// their functions. hidden_gradient: of this step's state on entry; on return what z passes on of
/// it to the state before.
void gru_cells_backward(const GruStep& step, const float* hidden_before, float* gates,
                        float* hidden_gradient);

}  // namespace hmtc
