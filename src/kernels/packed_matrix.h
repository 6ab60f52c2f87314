#pragma once

#include <cstddef>

#include "kernels/buffer.h"
#include "kernels/product.h"

namespace hmtc {

/// A matrix copied for use as a right factor, its last vector filled up with zeros.
class PackedMatrix {
 public:
  /// Nothing, to be assigned to.
  PackedMatrix() = default;
  /// From a row-major matrix (depth, columns).
  static PackedMatrix of(const float* data, std::size_t stride, std::size_t depth,
                         std::size_t columns);
  /// From the row-major transpose (columns, depth).
  static PackedMatrix of_transpose(const float* data, std::size_t stride, std::size_t depth,
                                   std::size_t columns);

  /// One whose values are to be set.
  PackedMatrix(std::size_t depth, std::size_t columns);
  /// Sets the rows from `begin` on to left (size.rows, size.depth) times right (size.depth,
  /// columns).
  void set_rows(std::size_t begin, const ProductSize& size, const LeftFactor& left,
                const PackedMatrix& right);

  /// This matrix (depth, columns) as (columns, depth).
  PackedMatrix transposed(std::size_t columns) const;

  RightFactor factor() const { return {values_.data(), kPanelWidth, depth_ * kPanelWidth}; }
  /// The columns from `panel` * kPanelWidth on.
  RightFactor factor_from(std::size_t panel) const {
    return {values_.data() + panel * depth_ * kPanelWidth, kPanelWidth, depth_ * kPanelWidth};
  }

 private:
  std::size_t depth_ = 0;
  Buffer values_;
};

/// Rows of a Buffer as a right factor: read where they lie, unless they are at such distances that
/// they displace each other from the cache.
class BufferRows {
 public:
  BufferRows(const float* data, std::size_t stride, std::size_t rows, std::size_t columns)
      : factor_{data, stride} {
    if (stride % kWorstDistance != 0) return;
    packed_ = PackedMatrix::of(data, stride, rows, columns);
    factor_ = packed_.factor();
  }

  const RightFactor& factor() const { return factor_; }

 private:
  static constexpr std::size_t kWorstDistance = 256;

  PackedMatrix packed_;
  RightFactor factor_;
};

}  // namespace hmtc
