#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kernels/buffer.h"
#include "kernels/packed_matrix.h"
#include "kernels/row_products.h"

namespace hmtc {

/// A row-major matrix of floats, by default one without elements.
class Matrix {
 public:
  Matrix() = default;
  /// Its values are to be set.
  Matrix(std::size_t rows, std::size_t columns)
      : rows_(rows), columns_(columns), values_(rows * columns) {}
  static Matrix filled(std::size_t rows, std::size_t columns, float value);
  Matrix(Matrix&&) = default;
  Matrix& operator=(Matrix&&) = default;

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  std::size_t size() const { return rows_ * columns_; }
  bool empty() const { return size() == 0; }

  float* data() { return values_.data(); }
  const float* data() const { return values_.data(); }
  std::span<float> values() { return {data(), size()}; }
  std::span<const float> values() const { return {data(), size()}; }
  std::span<float> row(std::size_t i) { return {data() + i * columns_, columns_}; }
  std::span<const float> row(std::size_t i) const { return {data() + i * columns_, columns_}; }

  /// Applies a function to every element.
  template <typename Function>
  void apply(const Function& function) {
    for (float& value : values()) value = function(value);
  }

 private:
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  Buffer values_;
};

/// Rows [begin, begin + count) of a matrix.
struct SomeRows {
  const Matrix& of;
  std::size_t begin;
  std::size_t count;

  const float* data() const { return of.data() + begin * of.columns(); }
  std::span<const float> row(std::size_t i) const { return of.row(begin + i); }
};

/// Some columns of a matrix, copied.
Matrix columns_of(const Matrix& matrix, std::size_t begin, std::size_t count);

/// A copy of a matrix as the right factor of products.
PackedMatrix packed(const Matrix& matrix);
PackedMatrix packed_transpose(const Matrix& matrix);

/// left times right, a packed matrix of `columns` columns.
Matrix product(const Matrix& left, const PackedMatrix& right, std::size_t columns);
Matrix product(const SomeRows& left, const PackedMatrix& right, std::size_t columns);
/// a b^T.
Matrix product_with_transpose(const Matrix& a, const Matrix& b);

/// Matrices of as many rows side by side.
Matrix side_by_side(std::span<const Matrix* const> matrices);
inline Matrix side_by_side(const Matrix& a, const Matrix& b) {
  const Matrix* const both[] = {&a, &b};
  return side_by_side(both);
}
Matrix side_by_side(const std::vector<Matrix>& matrices);

/// The mean of all rows.
std::vector<float> mean_of_rows(const Matrix& matrix);
/// Sets sum to that of the rows times their weights.
void weighted_sum(std::span<const float> weights, const SomeRows& rows, std::span<float> sum);

/// to += factor * from.
void add_scaled(std::span<const float> from, float factor, std::span<float> to);

}  // namespace hmtc
