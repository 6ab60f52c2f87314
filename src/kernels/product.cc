#include "kernels/product.h"

#include <algorithm>
#include <cstring>

// foreach_target.h compiles this file once for every instruction set, and must come first.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/product.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace hmtc {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::ScalableTag<float> kTag;
constexpr std::size_t kLanes = hn::MaxLanes(kTag);
// Accumulators fill the registers: 8 x 3 of 32 with AVX-512, 4 x 3 of 16 otherwise.
constexpr std::size_t kRowsAtOnce = HWY_TARGET <= HWY_AVX3 ? 8 : 4;
constexpr std::size_t kVectorsAtOnce = 3;
constexpr std::size_t kMostRowsAtOnce = 2 * kRowsAtOnce;
constexpr std::size_t kRowsOfBlock = 144;
constexpr std::size_t kDepthOfBlock = 384;
constexpr std::size_t kSmallFactor = std::size_t{1} << 15U;
static_assert(kPanelWidth % (kVectorsAtOnce * kLanes) == 0);

/// One tile of `kRows` x `kVectors` vectors of the result, kept in registers over the whole depth.
template <std::size_t kRows, std::size_t kVectors>
HWY_INLINE void multiply_tile(std::size_t depth, const LeftFactor& left, const float* right,
                              std::size_t right_stride, float* out, std::size_t out_stride,
                              bool add) {
  using Vector = hn::Vec<decltype(kTag)>;
  Vector sums[kRows][kVectors];
  for (std::size_t i = 0; i < kRows; ++i) {
    for (std::size_t j = 0; j < kVectors; ++j) {
      sums[i][j] = add ? hn::LoadU(kTag, out + i * out_stride + j * kLanes) : hn::Zero(kTag);
    }
  }
  const float* row = left.data;
  for (std::size_t k = 0; k < depth; ++k) {
    Vector columns[kVectors];
    for (std::size_t j = 0; j < kVectors; ++j) columns[j] = hn::LoadU(kTag, right + j * kLanes);
    for (std::size_t i = 0; i < kRows; ++i) {
      const Vector factor = hn::Set(kTag, row[i * left.row_stride]);
      for (std::size_t j = 0; j < kVectors; ++j) {
        sums[i][j] = hn::MulAdd(factor, columns[j], sums[i][j]);
      }
    }
    row += left.depth_stride;
    right += right_stride;
  }
  for (std::size_t i = 0; i < kRows; ++i) {
    for (std::size_t j = 0; j < kVectors; ++j) {
      hn::StoreU(sums[i][j], kTag, out + i * out_stride + j * kLanes);
    }
  }
}

/// The last rows, `kMost` or fewer of them: a tile of just so many.
template <std::size_t kMost, std::size_t kVectors>
HWY_INLINE void multiply_last_rows(std::size_t rows, std::size_t depth, const LeftFactor& left,
                                   const float* right, std::size_t right_stride, float* out,
                                   std::size_t out_stride, bool add) {
  if constexpr (kMost > 0) {
    if (rows == kMost) {
      multiply_tile<kMost, kVectors>(depth, left, right, right_stride, out, out_stride, add);
    } else {
      multiply_last_rows<kMost - 1, kVectors>(rows, depth, left, right, right_stride, out,
                                              out_stride, add);
    }
  }
}

/// A column of tiles: `kVectors` vectors wide, all rows.
template <std::size_t kVectors>
void multiply_columns(std::size_t rows, std::size_t depth, LeftFactor left, const float* right,
                      std::size_t right_stride, float* out, std::size_t out_stride, bool add) {
  const auto multiply_rows = [&]<std::size_t kRows>() {
    for (; rows >= kRows; rows -= kRows) {
      multiply_tile<kRows, kVectors>(depth, left, right, right_stride, out, out_stride, add);
      left.data += kRows * left.row_stride;
      out += kRows * out_stride;
    }
  };
  // A narrow tile has to be taller, lest each sum waits for the one before.
  if constexpr (kVectors == 1) multiply_rows.template operator()<kMostRowsAtOnce>();
  if constexpr (kVectors == 2) multiply_rows.template operator()<kMostRowsAtOnce * 3 / 4>();
  multiply_rows.template operator()<kRowsAtOnce>();
  multiply_last_rows<kRowsAtOnce - 1, kVectors>(rows, depth, left, right, right_stride, out,
                                                out_stride, add);
}

/// The last columns, fewer than a whole number of vectors: by way of a buffer.
template <std::size_t kVectors>
void multiply_last_columns(std::size_t rows, std::size_t columns, std::size_t depth,
                           LeftFactor left, const float* right, std::size_t right_stride,
                           float* out, std::size_t out_stride, bool add) {
  constexpr std::size_t kWidth = kVectors * kLanes;
  float buffer[kMostRowsAtOnce * kWidth];
  for (std::size_t begin = 0; begin < rows; begin += kMostRowsAtOnce) {
    const std::size_t count = std::min(kMostRowsAtOnce, rows - begin);
    float* target = out + begin * out_stride;
    for (std::size_t i = 0; add && i < count; ++i) {
      std::memcpy(buffer + i * kWidth, target + i * out_stride, columns * sizeof(float));
    }
    const LeftFactor part{left.data + begin * left.row_stride, left.row_stride, left.depth_stride};
    multiply_columns<kVectors>(count, depth, part, right, right_stride, buffer, kWidth, add);
    for (std::size_t i = 0; i < count; ++i) {
      std::memcpy(target + i * out_stride, buffer + i * kWidth, columns * sizeof(float));
    }
  }
}

/// Columns of the next tiles, from `column` on. Four vectors are two and two, not three and one:
/// each value of the left factor is then read for two of them at least.
HWY_INLINE std::size_t width_at(std::size_t column, std::size_t columns) {
  const bool is_in_one_panel = column % kPanelWidth + 4 * kLanes <= kPanelWidth;
  const bool are_four_left = columns - column == 4 * kLanes;
  return (are_four_left && is_in_one_panel ? 2 : kVectorsAtOnce) * kLanes;
}

void multiply_block(const ProductSize& size, const LeftFactor& left, const RightFactor& right,
                    float* out, std::size_t out_stride, bool add) {
  std::size_t width = 0;
  for (std::size_t column = 0; column < size.columns; column += width) {
    width = width_at(column, size.columns);
    const float* columns =
        right.data + column / kPanelWidth * right.panel_stride + column % kPanelWidth;
    const std::size_t left_over = std::min(width, size.columns - column);
    const auto call = [&](auto function, auto... more) {
      function(size.rows, more..., size.depth, left, columns, right.depth_stride, out + column,
               out_stride, add);
    };
    if (left_over == 3 * kLanes) {
      call(multiply_columns<3>);
    } else if (left_over == 2 * kLanes) {
      call(multiply_columns<2>);
    } else if (left_over == kLanes) {
      call(multiply_columns<1>);
    } else if (left_over > 2 * kLanes) {
      call(multiply_last_columns<3>, left_over);
    } else if (left_over > kLanes) {
      call(multiply_last_columns<2>, left_over);
    } else {
      call(multiply_last_columns<1>, left_over);
    }
  }
}

/// Rows of a transposed left factor lie far apart in the depth: copied, `kRowsAtOnce` rows together
/// as multiply_tile() reads them, they are near each other.
void gather_rows(const LeftFactor& left, std::size_t rows, std::size_t depth, float* to) {
  const float* from = left.data;
  for (std::size_t k = 0; k < depth; ++k, from += left.depth_stride, to += kRowsAtOnce) {
    std::size_t row = 0;
    for (; row + kRowsAtOnce <= rows; row += kRowsAtOnce) {
      std::memcpy(to + row * depth, from + row, kRowsAtOnce * sizeof(float));
    }
    for (std::size_t i = row; i < rows; ++i) to[row * depth + i - row] = from[i];
  }
}

/// multiply_block() by way of such a copy.
void multiply_gathered_block(const ProductSize& size, const LeftFactor& left,
                             const RightFactor& right, float* out, std::size_t out_stride,
                             bool add) {
  alignas(64) thread_local float gathered[kRowsOfBlock * kDepthOfBlock];
  gather_rows(left, size.rows, size.depth, gathered);
  const auto multiply_one = [&](std::size_t row, std::size_t column, std::size_t columns) {
    const RightFactor panels{right.data + column / kPanelWidth * right.panel_stride,
                             right.depth_stride, right.panel_stride};
    multiply_block({std::min(kRowsAtOnce, size.rows - row), columns, size.depth},
                   {gathered + row * size.depth, 1, kRowsAtOnce}, panels,
                   out + row * out_stride + column, out_stride, add);
  };
  // A right factor that stays in the cache as a whole lets the result be written row after row.
  const bool right_is_small = size.depth * size.columns <= kSmallFactor;
  const std::size_t width = right_is_small ? size.columns : kPanelWidth;
  for (std::size_t column = 0; column < size.columns; column += width) {
    for (std::size_t row = 0; row < size.rows; row += kRowsAtOnce) {
      multiply_one(row, column, std::min(width, size.columns - column));
    }
  }
}

/// Block by block, so that what is read again is still in the cache: a panel of the right factor
/// for all rows of a block, the rows for all panels.
void multiply_all(const ProductSize& size, const LeftFactor& left, const RightFactor& right,
                  float* out, std::size_t out_stride, bool add) {
  const bool is_transposed = left.row_stride == 1 && left.depth_stride > kRowsAtOnce;
  const auto multiply_one =
      is_transposed && size.columns >= kPanelWidth ? multiply_gathered_block : multiply_block;
  for (std::size_t k = 0; k == 0 || k < size.depth; k += kDepthOfBlock) {
    const RightFactor right_block{right.data + k * right.depth_stride, right.depth_stride,
                                  right.panel_stride};
    for (std::size_t i = 0; i < size.rows; i += kRowsOfBlock) {
      const LeftFactor left_block{left.data + i * left.row_stride + k * left.depth_stride,
                                  left.row_stride, left.depth_stride};
      multiply_one({std::min(kRowsOfBlock, size.rows - i), size.columns,
                    std::min(kDepthOfBlock, size.depth - k)},
                   left_block, right_block, out + i * out_stride, out_stride, add || k > 0);
    }
  }
}

constexpr std::size_t kSquare = 4;

/// Four rows and four columns.
HWY_INLINE void transpose_square(const float* from, std::size_t from_stride, float* to,
                                 std::size_t to_stride) {
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t i = 0; i < kSquare; ++i) {
    for (std::size_t j = 0; j < kSquare; ++j) to[j * to_stride + i] = from[i * from_stride + j];
  }
#else
  constexpr hn::FixedTag<float, kSquare> tag;
  const auto a = hn::LoadU(tag, from);
  const auto b = hn::LoadU(tag, from + from_stride);
  const auto c = hn::LoadU(tag, from + 2 * from_stride);
  const auto d = hn::LoadU(tag, from + 3 * from_stride);
  const auto ab_01 = hn::InterleaveLower(tag, a, b);
  const auto ab_23 = hn::InterleaveUpper(tag, a, b);
  const auto cd_01 = hn::InterleaveLower(tag, c, d);
  const auto cd_23 = hn::InterleaveUpper(tag, c, d);
  hn::StoreU(hn::ConcatLowerLower(tag, cd_01, ab_01), tag, to);
  hn::StoreU(hn::ConcatUpperUpper(tag, cd_01, ab_01), tag, to + to_stride);
  hn::StoreU(hn::ConcatLowerLower(tag, cd_23, ab_23), tag, to + 2 * to_stride);
  hn::StoreU(hn::ConcatUpperUpper(tag, cd_23, ab_23), tag, to + 3 * to_stride);
#endif
}

/// In blocks of columns whose lines stay in the cache.
void transpose_all(const float* from, std::size_t from_stride, std::size_t rows,
                   std::size_t columns, float* to, std::size_t to_stride) {
  constexpr std::size_t kBlock = 16;
  const std::size_t in_squares = columns / kSquare * kSquare;
  for (std::size_t begin = 0; begin < columns; begin += kBlock) {
    const std::size_t end = std::min(begin + kBlock, columns);
    std::size_t i = 0;
    for (; i + kSquare <= rows; i += kSquare) {
      for (std::size_t j = begin; j < std::min(end, in_squares); j += kSquare) {
        transpose_square(from + i * from_stride + j, from_stride, to + j * to_stride + i,
                         to_stride);
      }
    }
    const std::size_t rows_in_squares = i;
    for (std::size_t j = begin; j < end; ++j) {
      for (i = j < in_squares ? rows_in_squares : 0; i < rows; ++i) {
        to[j * to_stride + i] = from[i * from_stride + j];
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace hmtc
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hmtc {

HWY_EXPORT(multiply_all);
HWY_EXPORT(transpose_all);

void multiply(const ProductSize& size, const LeftFactor& left, const RightFactor& right, float* out,
              std::size_t out_stride, Into into) {
  HWY_DYNAMIC_DISPATCH(multiply_all)(size, left, right, out, out_stride, into == Into::kAdd);
}

void transpose(const float* from, std::size_t from_stride, std::size_t rows, std::size_t columns,
               float* to, std::size_t to_stride) {
  HWY_DYNAMIC_DISPATCH(transpose_all)(from, from_stride, rows, columns, to, to_stride);
}

}  // namespace hmtc
#endif  // HWY_ONCE
