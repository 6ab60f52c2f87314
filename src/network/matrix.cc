#include "network/matrix.h"

#include <algorithm>

namespace hmtc {

Matrix Matrix::filled(std::size_t rows, std::size_t columns, float value) {
  Matrix matrix(rows, columns);
  std::fill_n(matrix.data(), matrix.size(), value);
  return matrix;
}

Matrix columns_of(const Matrix& matrix, std::size_t begin, std::size_t count) {
  Matrix part(matrix.rows(), count);
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    const auto row = matrix.row(i).subspan(begin, count);
    std::copy(row.begin(), row.end(), part.row(i).begin());
  }
  return part;
}

PackedMatrix packed(const Matrix& matrix) {
  return PackedMatrix::of(matrix.data(), matrix.columns(), matrix.rows(), matrix.columns());
}

PackedMatrix packed_transpose(const Matrix& matrix) {
  return PackedMatrix::of_transpose(matrix.data(), matrix.columns(), matrix.columns(),
                                    matrix.rows());
}

Matrix product(const Matrix& left, const PackedMatrix& right, std::size_t columns) {
  return product(SomeRows{left, 0, left.rows()}, right, columns);
}

Matrix product(const SomeRows& left, const PackedMatrix& right, std::size_t columns) {
  const std::size_t depth = left.of.columns();
  Matrix out(left.count, columns);
  multiply({left.count, columns, depth}, {left.data(), depth}, right.factor(), out.data(), columns,
           Into::kSet);
  return out;
}

Matrix product_with_transpose(const Matrix& a, const Matrix& b) {
  Matrix out(a.rows(), b.rows());
  multiply_rows({a.data(), a.rows(), a.columns()}, {b.data(), b.rows(), b.columns()}, a.columns(),
                out.data(), out.columns());
  return out;
}

Matrix side_by_side(std::span<const Matrix* const> matrices) {
  std::size_t columns = 0;
  for (const Matrix* matrix : matrices) columns += matrix->columns();
  Matrix out(matrices.front()->rows(), columns);
  for (std::size_t i = 0; i < out.rows(); ++i) {
    float* to = out.row(i).data();
    for (const Matrix* matrix : matrices) {
      const auto row = matrix->row(i);
      to = std::copy(row.begin(), row.end(), to);
    }
  }
  return out;
}

Matrix side_by_side(const std::vector<Matrix>& matrices) {
  std::vector<const Matrix*> pointers;
  for (const Matrix& matrix : matrices) pointers.push_back(&matrix);
  return side_by_side(pointers);
}

std::vector<float> mean_of_rows(const Matrix& matrix) {
  std::vector<float> mean(matrix.columns(), 0.0F);
  for (std::size_t i = 0; i < matrix.rows(); ++i) add_scaled(matrix.row(i), 1, mean);
  for (float& value : mean) value /= static_cast<float>(std::max<std::size_t>(matrix.rows(), 1));
  return mean;
}

void weighted_sum(std::span<const float> weights, const SomeRows& rows, std::span<float> sum) {
  std::fill(sum.begin(), sum.end(), 0.0F);
  for (std::size_t i = 0; i < rows.count; ++i) add_scaled(rows.row(i), weights[i], sum);
}

void add_scaled(std::span<const float> from, float factor, std::span<float> to) {
  for (std::size_t i = 0; i < from.size(); ++i) to[i] += factor * from[i];
}

}  // namespace hmtc
