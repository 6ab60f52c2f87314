#pragma once

#include <cstddef>

namespace hmtc {

/// The elementwise steps of the label attention, on some rows of a matrix.

/// values = tanh(values + shift), row by row.
void tanh_rows(float* values, std::size_t rows, std::size_t columns, const float* shift);

/// gradients *= 1 - values^2, where values are what tanh_rows() gave; their sum over the rows is
/// added to that of the shift.
void tanh_rows_backward(const float* values, float* gradients, std::size_t rows,
                        std::size_t columns, float* shift_gradient);

/// values += shift, on each row's first `columns` numbers.
void shift_rows(float* values, std::size_t stride, std::size_t rows, std::size_t columns,
                const float* shift);

/// The sum of the gradients over the rows is added to that of the shift.
void shift_rows_backward(const float* gradients, std::size_t stride, std::size_t rows,
                         std::size_t columns, float* shift_gradient);

/// Softmax of each row's first `columns` numbers, in place.
void softmax_rows(float* values, std::size_t stride, std::size_t rows, std::size_t columns);

/// gradients = values * (gradients - sum of values * gradients), row by row: from the gradient of a
/// softmax to that of its argument.
void softmax_rows_backward(const float* values, float* gradients, std::size_t stride,
                           std::size_t rows, std::size_t columns);

/// Rows of the label-wise documents of one document, and what belongs to their labels.
struct LabelRows {
  std::size_t rows;
  std::size_t width;
  const float* bias;     ///< (width)
  const float* m;        ///< (rows), or null for ones
  const float* readout;  ///< (rows, width)
};

/// From D before bias and relu: D_j . readout_j m_j, and the sums of D and of m D over the rows.
void label_rows_forward(const LabelRows& labels, const float* D, std::size_t stride,
                        float* local_logits, float* sum_D_tilde, float* sum_D);

struct LabelRowsGradients {
  const float* local_logits;  ///< (rows)
  const float* sum_D_tilde;   ///< (width)
  const float* sum_D;         ///< (width)
  float* bias;                ///< (width), added to
  float* m;                   ///< (rows), added to, or null
  float* readout;             ///< (rows, width), added to
};

/// D before bias and relu becomes its gradient.
void label_rows_backward(const LabelRows& labels, const LabelRowsGradients& gradients, float* D,
                         std::size_t stride);

}  // namespace hmtc
