#include "kernels/dropout.h"

// foreach_target.h compiles this file once for every instruction set, and must come first.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/dropout.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "kernels/for_each_vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hmtc {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Mixes the bits of each number: MurmurHash3's last step.
template <typename D, typename V>
HWY_INLINE V mix(D tag, V x) {
  x = hn::Mul(hn::Xor(x, hn::ShiftRight<16>(x)), hn::Set(tag, 0x85EBCA6BU));
  x = hn::Mul(hn::Xor(x, hn::ShiftRight<13>(x)), hn::Set(tag, 0xC2B2AE35U));
  return hn::Xor(x, hn::ShiftRight<16>(x));
}

void drop(std::span<const float> values, double rate, std::uint64_t seed, float* out) {
  const auto low = static_cast<std::uint32_t>(seed);
  const auto high = static_cast<std::uint32_t>(seed >> 32U);
  const auto last_dropped = static_cast<std::uint32_t>(rate * 4294967295.0);
  const auto scale = static_cast<float>(1 / (1 - rate));
  for_each_vector(values.size(), [&](auto tag, std::size_t i) {
    const hn::RebindToUnsigned<decltype(tag)> bits;
    const auto counter = hn::Iota(bits, static_cast<std::uint32_t>(i) + low);
    const auto random = mix(bits, hn::Xor(mix(bits, counter), hn::Set(bits, high)));
    const auto kept = hn::RebindMask(tag, hn::Gt(random, hn::Set(bits, last_dropped)));
    const auto grown = hn::Mul(hn::LoadU(tag, values.data() + i), hn::Set(tag, scale));
    hn::StoreU(hn::IfThenElseZero(kept, grown), tag, out + i);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace hmtc
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hmtc {

HWY_EXPORT(drop);

void drop_out(std::span<const float> values, double rate, std::uint64_t seed, float* out) {
  HWY_DYNAMIC_DISPATCH(drop)(values, rate, seed, out);
}

}  // namespace hmtc
#endif  // HWY_ONCE
