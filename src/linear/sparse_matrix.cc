#include "linear/sparse_matrix.h"

#include <numeric>

namespace hmtc {

SparseMatrix transposed(const SparseMatrix& matrix) {
  SparseMatrix result;
  result.num_columns = matrix.num_rows();
  result.offsets.assign(matrix.num_columns + 1, 0);
  result.columns.resize(matrix.columns.size());
  result.values.resize(matrix.values.size());
  for (const std::int32_t column : matrix.columns) {
    ++result.offsets[static_cast<std::size_t>(column) + 1];
  }
  std::partial_sum(result.offsets.begin(), result.offsets.end(), result.offsets.begin());
  std::vector<std::size_t> next(result.offsets.begin(), result.offsets.end() - 1);
  for (std::size_t i = 0; i < matrix.num_rows(); ++i) {
    const SparseRow row = matrix.row(i);
    for (std::size_t k = 0; k < row.size(); ++k) {
      const std::size_t place = next[static_cast<std::size_t>(row.columns[k])]++;
      result.columns[place] = static_cast<std::int32_t>(i);
      result.values[place] = row.values[k];
    }
  }
  return result;
}

}  // namespace hmtc
