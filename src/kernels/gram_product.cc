#include "kernels/gram_product.h"

#include <hwy/cache_control.h>

#include <algorithm>

// foreach_target.h compiles this file once for every instruction set, and must come first.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/gram_product.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace hmtc {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<double, kNumLanes> kLaneTag;
using Lanes = hn::Vec<decltype(kLaneTag)>;

/// Several lanes of the list's values times the rows of `from` at their places, added up.
HWY_INLINE Lanes list_sum(const SparseLists& lists, std::size_t begin, std::size_t end,
                          const LaneRow* from, std::size_t lane) {
  const std::int32_t* const places = lists.places.data();
  const float* const values = lists.values.data();
  const auto term = [&](std::size_t k, Lanes sum) {
    return hn::MulAdd(hn::Set(kLaneTag, static_cast<double>(values[k])),
                      hn::Load(kLaneTag, from[places[k]].lane + lane), sum);
  };
  // Two sums, because one would wait for each addition to finish before the next.
  Lanes even = hn::Zero(kLaneTag);
  Lanes odd = hn::Zero(kLaneTag);
  std::size_t k = begin;
  for (; k + 2 <= end; k += 2) {
    even = term(k, even);
    odd = term(k + 1, odd);
  }
  if (k < end) even = term(k, even);
  return hn::Add(even, odd);
}

/// Adds the list's values times `factor` to the rows of `to` at their places.
HWY_INLINE void add_list(const SparseLists& lists, std::size_t begin, std::size_t end, Lanes factor,
                         LaneRow* to, std::size_t lane) {
  for (std::size_t k = begin; k < end; ++k) {
    double* const target = to[lists.places[k]].lane + lane;
    const Lanes value = hn::Set(kLaneTag, static_cast<double>(lists.values[k]));
    hn::Store(hn::MulAdd(value, factor, hn::Load(kLaneTag, target)), kLaneTag, target);
  }
}

void add_by_columns(const SparseLists& columns, std::span<const std::int32_t> which,
                    const LaneRow* in, LaneRow* out) {
  constexpr std::size_t kAhead = 16;  // entries whose rows are fetched before their turn
  for (const std::int32_t column : which) {
    const std::size_t begin = columns.offsets[static_cast<std::size_t>(column)];
    const std::size_t end = columns.offsets[static_cast<std::size_t>(column) + 1];
    for (std::size_t k = begin; k < end; ++k) {
      const std::int32_t row = columns.places[std::min(k + kAhead, columns.places.size() - 1)];
      hwy::Prefetch(in + row);
      hwy::Prefetch(out + row);
    }
    for (std::size_t lane = 0; lane < kNumLanes; lane += hn::Lanes(kLaneTag)) {
      add_list(columns, begin, end, list_sum(columns, begin, end, in, lane), out, lane);
    }
  }
}

void add_by_rows(const SparseLists& rows, const LaneRow* in, LaneRow* out, LaneRow* scratch) {
  for (std::size_t row = 0; row + 1 < rows.offsets.size(); ++row) {
    for (std::size_t lane = 0; lane < kNumLanes; lane += hn::Lanes(kLaneTag)) {
      add_list(rows, rows.offsets[row], rows.offsets[row + 1],
               hn::Load(kLaneTag, in[row].lane + lane), scratch, lane);
    }
  }
  for (std::size_t row = 0; row + 1 < rows.offsets.size(); ++row) {
    for (std::size_t lane = 0; lane < kNumLanes; lane += hn::Lanes(kLaneTag)) {
      double* const target = out[row].lane + lane;
      const Lanes sum = list_sum(rows, rows.offsets[row], rows.offsets[row + 1], scratch, lane);
      hn::Store(hn::Add(sum, hn::Load(kLaneTag, target)), kLaneTag, target);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace hmtc
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hmtc {

HWY_EXPORT(add_by_columns);
HWY_EXPORT(add_by_rows);

void add_gram_product_by_columns(const SparseLists& columns, std::span<const std::int32_t> which,
                                 const LaneRow* in, LaneRow* out) {
  HWY_DYNAMIC_DISPATCH(add_by_columns)(columns, which, in, out);
}

void add_gram_product_by_rows(const SparseLists& rows, const LaneRow* in, LaneRow* out,
                              std::size_t num_columns, LaneRow* scratch) {
  std::fill(scratch, scratch + num_columns, LaneRow{});
  HWY_DYNAMIC_DISPATCH(add_by_rows)(rows, in, out, scratch);
}

}  // namespace hmtc
#endif  // HWY_ONCE
