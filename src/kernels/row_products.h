#pragma once

#include <cstddef>

namespace hmtc {

/// A matrix (rows, columns) whose rows are contiguous and `stride` apart.
struct RowMatrix {
  const float* data;
  std::size_t rows;
  std::size_t stride;
};

/// out (left.rows, right.rows) = left right^T, both `depth` wide: every row with every row, each
/// read where it lies. Faster than multiply() when one side has few rows, which leaves a packed
/// copy of the other no time to pay. A thread may make a part of it by a part of the right rows.
void multiply_rows(const RowMatrix& left, const RowMatrix& right, std::size_t depth, float* out,
                   std::size_t out_stride);

}  // namespace hmtc
