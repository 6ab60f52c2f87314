// Included once per instruction set by files that use hwy/foreach_target.h.
#if defined(HMTC_KERNELS_TANH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HMTC_KERNELS_TANH_INL_H_
#undef HMTC_KERNELS_TANH_INL_H_
#else
#define HMTC_KERNELS_TANH_INL_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace hmtc {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// A quotient of polynomials that is within 3e-7 of tanh everywhere; its coefficients are those
/// that Eigen uses. Several times faster than by way of the exponential function.
template <typename D, typename V>
HWY_INLINE V fast_tanh(D tag, V argument) {
  const auto number = [&](float value) { return hn::Set(tag, value); };
  const V x = hn::Clamp(argument, number(-7.99881172180175781F), number(7.99881172180175781F));
  const V square = hn::Mul(x, x);
  V above = number(-2.76076847742355e-16F);
  above = hn::MulAdd(above, square, number(2.00018790482477e-13F));
  above = hn::MulAdd(above, square, number(-8.60467152213735e-11F));
  above = hn::MulAdd(above, square, number(5.12229709037114e-08F));
  above = hn::MulAdd(above, square, number(1.48572235717979e-05F));
  above = hn::MulAdd(above, square, number(6.37261928875436e-04F));
  above = hn::MulAdd(above, square, number(4.89352455891786e-03F));
  V below = number(1.19825839466702e-06F);
  below = hn::MulAdd(below, square, number(1.18534705686654e-04F));
  below = hn::MulAdd(below, square, number(2.26843463243900e-03F));
  below = hn::MulAdd(below, square, number(4.89352518554385e-03F));
  return hn::Div(hn::Mul(x, above), below);
}

/// 1 / (1 + exp(-x)) = (1 + tanh(x / 2)) / 2.
template <typename D, typename V>
HWY_INLINE V fast_sigmoid(D tag, V x) {
  const V half = hn::Set(tag, 0.5F);
  return hn::MulAdd(half, fast_tanh(tag, hn::Mul(half, x)), half);
}

}  // namespace HWY_NAMESPACE
}  // namespace hmtc
HWY_AFTER_NAMESPACE();

#endif
