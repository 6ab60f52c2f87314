#pragma once

#include <cstddef>

namespace hmtc {

/// Right factors are read in panels of so many columns.
constexpr std::size_t kPanelWidth = 48;

/// The left factor of a product: element (i, k) is data[i * row_stride + k * depth_stride], so that
/// a row-major matrix has the strides {columns, 1} and its transpose {1, columns}.
struct LeftFactor {
  const float* data;
  std::size_t row_stride;
  std::size_t depth_stride = 1;
};

/// The right factor of a product: element (k, j) is
///   data[j / kPanelWidth * panel_stride + k * depth_stride + j % kPanelWidth].
/// A row-major matrix has the strides {columns, kPanelWidth}; its rows may be read up to the next
/// multiple of 16 columns. A PackedMatrix lies in memory as it is read, which is faster.
struct RightFactor {
  const float* data;
  std::size_t depth_stride;
  std::size_t panel_stride = kPanelWidth;
};

/// The next number of floats that fills vectors of any width.
inline std::size_t whole_vectors(std::size_t count) { return (count + 15) / 16 * 16; }

struct ProductSize {
  std::size_t rows;
  std::size_t columns;
  std::size_t depth;
};

enum class Into { kSet, kAdd };

/// out (rows, columns) = or += left (rows, depth) times right (depth, columns). On the thread that
/// calls; the sum over the depth has one order on every machine, whatever its vector width.
void multiply(const ProductSize& size, const LeftFactor& left, const RightFactor& right, float* out,
              std::size_t out_stride, Into into);

/// to[j * to_stride + i] = from[i * from_stride + j].
void transpose(const float* from, std::size_t from_stride, std::size_t rows, std::size_t columns,
               float* to, std::size_t to_stride);

}  // namespace hmtc
