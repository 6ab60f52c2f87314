#include "kernels/sums.h"

// foreach_target.h compiles this file once for every instruction set, and must come first.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/sums.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "kernels/for_each_vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hmtc {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void add(std::span<const float> from, float* to) { add_each(from.data(), from.size(), to); }

void move(std::span<const float> targets, float weight, float* values) {
  for_each_vector(targets.size(), [&](auto tag, std::size_t i) {
    const auto value = hn::LoadU(tag, values + i);
    const auto way = hn::Sub(hn::LoadU(tag, targets.data() + i), value);
    hn::StoreU(hn::MulAdd(hn::Set(tag, weight), way, value), tag, values + i);
  });
}

/// Each vector adds up in floats over a short stretch only.
double squares(std::span<const float> values) {
  constexpr std::size_t kStretch = 1024;
  double total = 0;
  for (std::size_t begin = 0; begin < values.size(); begin += kStretch) {
    const float* x = values.data() + begin;
    fold_vectors(
        std::min(kStretch, values.size() - begin), hn::Zero(kVectorTag),
        [&](auto tag, std::size_t i, auto sum) {
          const auto value = hn::LoadU(tag, x + i);
          return hn::MulAdd(value, value, sum);
        },
        [&](auto tag, auto sum) {
          total += static_cast<double>(hn::GetLane(hn::SumOfLanes(tag, sum)));
        });
  }
  return total;
}

}  // namespace HWY_NAMESPACE
}  // namespace hmtc
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hmtc {

HWY_EXPORT(add);
HWY_EXPORT(move);
HWY_EXPORT(squares);

void add_to(std::span<const float> from, float* to) { HWY_DYNAMIC_DISPATCH(add)(from, to); }

void move_towards(std::span<const float> targets, float weight, float* values) {
  HWY_DYNAMIC_DISPATCH(move)(targets, weight, values);
}

double sum_of_squares(std::span<const float> values) {
  return HWY_DYNAMIC_DISPATCH(squares)(values);
}

}  // namespace hmtc
#endif  // HWY_ONCE
