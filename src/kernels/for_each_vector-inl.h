// Included once per instruction set by files that use hwy/foreach_target.h.
#if defined(HMTC_KERNELS_FOR_EACH_VECTOR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HMTC_KERNELS_FOR_EACH_VECTOR_INL_H_
#undef HMTC_KERNELS_FOR_EACH_VECTOR_INL_H_
#else
#define HMTC_KERNELS_FOR_EACH_VECTOR_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace hmtc {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::ScalableTag<float> kVectorTag;
constexpr hn::CappedTag<float, 1> kElementTag;

/// Calls body(tag, i) for whole vectors of `count` elements, then for those that are left, one by
/// one.
template <typename Body>
HWY_INLINE void for_each_vector(std::size_t count, const Body& body) {
  const std::size_t lanes = hn::Lanes(kVectorTag);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) body(kVectorTag, i);
  for (; i < count; ++i) body(kElementTag, i);
}

/// to[i] += from[i].
HWY_INLINE void add_each(const float* from, std::size_t count, float* to) {
  for_each_vector(count, [&](auto tag, std::size_t i) {
    hn::StoreU(hn::Add(hn::LoadU(tag, to + i), hn::LoadU(tag, from + i)), tag, to + i);
  });
}

/// As for_each_vector() with a value that body(tag, i, value) carries on, beginning with `start`;
/// finish(tag, value) gets that of the vectors and that of the elements.
template <typename Vector, typename Body, typename Finish>
HWY_INLINE void fold_vectors(std::size_t count, Vector start, const Body& body,
                             const Finish& finish) {
  const std::size_t lanes = hn::Lanes(kVectorTag);
  std::size_t i = 0;
  Vector value = start;
  for (; i + lanes <= count; i += lanes) value = body(kVectorTag, i, value);
  auto rest = hn::Set(kElementTag, hn::GetLane(start));
  for (; i < count; ++i) rest = body(kElementTag, i, rest);
  finish(kVectorTag, value);
  finish(kElementTag, rest);
}

}  // namespace HWY_NAMESPACE
}  // namespace hmtc
HWY_AFTER_NAMESPACE();

#endif
