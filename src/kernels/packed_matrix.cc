#include "kernels/packed_matrix.h"

#include <algorithm>
#include <cstring>

namespace hmtc {
namespace {

std::size_t num_panels(std::size_t columns) { return (columns + kPanelWidth - 1) / kPanelWidth; }

}  // namespace

PackedMatrix::PackedMatrix(std::size_t depth, std::size_t columns)
    : depth_(depth), values_(num_panels(columns) * kPanelWidth * depth) {
  if (columns % kPanelWidth == 0) return;
  float* last = values_.data() + (num_panels(columns) - 1) * kPanelWidth * depth;
  const std::size_t begin = columns % kPanelWidth;
  for (std::size_t k = 0; k < depth; ++k, last += kPanelWidth) {
    std::fill(last + begin, last + whole_vectors(begin), 0.0F);
  }
}

PackedMatrix PackedMatrix::of(const float* data, std::size_t stride, std::size_t depth,
                              std::size_t columns) {
  PackedMatrix packed(depth, columns);
  float* to = packed.values_.data();
  for (std::size_t begin = 0; begin < columns; begin += kPanelWidth) {
    const std::size_t width = std::min(kPanelWidth, columns - begin);
    for (std::size_t k = 0; k < depth; ++k, to += kPanelWidth) {
      std::memcpy(to, data + k * stride + begin, width * sizeof(float));
    }
  }
  return packed;
}

PackedMatrix PackedMatrix::of_transpose(const float* data, std::size_t stride, std::size_t depth,
                                        std::size_t columns) {
  PackedMatrix packed(depth, columns);
  for (std::size_t begin = 0; begin < columns; begin += kPanelWidth) {
    transpose(data + begin * stride, stride, std::min(kPanelWidth, columns - begin), depth,
              packed.values_.data() + begin * depth, kPanelWidth);
  }
  return packed;
}

void PackedMatrix::set_rows(std::size_t begin, const ProductSize& size, const LeftFactor& left,
                            const PackedMatrix& right) {
  for (std::size_t panel = 0; panel < num_panels(size.columns); ++panel) {
    const std::size_t columns = std::min(kPanelWidth, size.columns - panel * kPanelWidth);
    multiply({size.rows, columns, size.depth}, left, right.factor_from(panel),
             values_.data() + (panel * depth_ + begin) * kPanelWidth, kPanelWidth, Into::kSet);
  }
}

PackedMatrix PackedMatrix::transposed(std::size_t columns) const {
  PackedMatrix packed(columns, depth_);
  for (std::size_t k = 0; k < depth_; k += kPanelWidth) {
    const std::size_t width = std::min(kPanelWidth, depth_ - k);
    for (std::size_t j = 0; j < columns; j += kPanelWidth) {
      transpose(values_.data() + j * depth_ + k * kPanelWidth, kPanelWidth, width,
                std::min(kPanelWidth, columns - j),
                packed.values_.data() + k * columns + j * kPanelWidth, kPanelWidth);
    }
  }
  return packed;
}

}  // namespace hmtc
