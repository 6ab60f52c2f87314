#include "kernels/row_products.h"

// foreach_target.h compiles this file once for every instruction set, and must come first.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/row_products.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "kernels/for_each_vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hmtc {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// `kLeft` x `kRight` sums, each in a register of its own. Right rows come in fours: their loads
/// hide each other's latency, and each left vector serves four times.
template <std::size_t kLeft, std::size_t kRight>
HWY_INLINE void multiply_some(const RowMatrix& left, const RowMatrix& right, std::size_t depth,
                              float* out, std::size_t out_stride) {
  using Vector = hn::Vec<decltype(kVectorTag)>;
  const std::size_t lanes = hn::Lanes(kVectorTag);
  Vector sums[kLeft][kRight];
  for (auto& row : sums) {
    for (Vector& sum : row) sum = hn::Zero(kVectorTag);
  }
  std::size_t k = 0;
  for (; k + lanes <= depth; k += lanes) {
    Vector factors[kRight];
    for (std::size_t j = 0; j < kRight; ++j) {
      factors[j] = hn::LoadU(kVectorTag, right.data + j * right.stride + k);
    }
    for (std::size_t i = 0; i < kLeft; ++i) {
      const Vector factor = hn::LoadU(kVectorTag, left.data + i * left.stride + k);
      for (std::size_t j = 0; j < kRight; ++j) {
        sums[i][j] = hn::MulAdd(factor, factors[j], sums[i][j]);
      }
    }
  }
  for (std::size_t i = 0; i < kLeft; ++i) {
    for (std::size_t j = 0; j < kRight; ++j) {
      float sum = hn::GetLane(hn::SumOfLanes(kVectorTag, sums[i][j]));
      for (std::size_t rest = k; rest < depth; ++rest) {
        sum += left.data[i * left.stride + rest] * right.data[j * right.stride + rest];
      }
      out[i * out_stride + j] = sum;
    }
  }
}

template <std::size_t kRight>
HWY_INLINE void multiply_all_left(RowMatrix left, const RowMatrix& right, std::size_t depth,
                                  float* out, std::size_t out_stride) {
  for (; left.rows >= 4; left.rows -= 4) {
    multiply_some<4, kRight>(left, right, depth, out, out_stride);
    left.data += 4 * left.stride;
    out += 4 * out_stride;
  }
  for (; left.rows > 0; --left.rows) {
    multiply_some<1, kRight>(left, right, depth, out, out_stride);
    left.data += left.stride;
    out += out_stride;
  }
}

void every_row_with_every_row(const RowMatrix& left, RowMatrix right, std::size_t depth, float* out,
                              std::size_t out_stride) {
  for (; right.rows >= 4; right.rows -= 4) {
    multiply_all_left<4>(left, right, depth, out, out_stride);
    right.data += 4 * right.stride;
    out += 4;
  }
  for (; right.rows > 0; --right.rows) {
    multiply_all_left<1>(left, right, depth, out, out_stride);
    right.data += right.stride;
    out += 1;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace hmtc
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hmtc {

HWY_EXPORT(every_row_with_every_row);

void multiply_rows(const RowMatrix& left, const RowMatrix& right, std::size_t depth, float* out,
                   std::size_t out_stride) {
  HWY_DYNAMIC_DISPATCH(every_row_with_every_row)(left, right, depth, out, out_stride);
}

}  // namespace hmtc
#endif  // HWY_ONCE
