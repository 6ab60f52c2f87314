#include "kernels/adam_update.h"

#include <cmath>

// foreach_target.h compiles this file once for every instruction set, and must come first.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/adam_update.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "kernels/for_each_vector-inl.h"

#ifndef HMTC_KERNELS_ADAM_UPDATE_CC_  // once for all instruction sets
#define HMTC_KERNELS_ADAM_UPDATE_CC_
namespace hmtc {

struct AdamFactors {
  float gradient_scale;
  float beta1, beta2;
  float one_minus_beta1, one_minus_beta2;
  float rate;             // with the correction of the first moment
  float root_correction;  // of the second moment
  float epsilon;
  float kept;  // of a value, before the step
};

}  // namespace hmtc
#endif

HWY_BEFORE_NAMESPACE();
namespace hmtc {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void update(const AdamFactors& factors, std::span<const float> gradients, float* values,
            float* first_moments, float* second_moments) {
  for_each_vector(gradients.size(), [&](auto tag, std::size_t i) {
    const auto all = [&](float value) { return hn::Set(tag, value); };
    const auto g = hn::Mul(hn::LoadU(tag, gradients.data() + i), all(factors.gradient_scale));
    const auto m = hn::MulAdd(all(factors.beta1), hn::LoadU(tag, first_moments + i),
                              hn::Mul(all(factors.one_minus_beta1), g));
    const auto v = hn::MulAdd(all(factors.beta2), hn::LoadU(tag, second_moments + i),
                              hn::Mul(all(factors.one_minus_beta2), hn::Mul(g, g)));
    hn::StoreU(m, tag, first_moments + i);
    hn::StoreU(v, tag, second_moments + i);
    const auto root = hn::MulAdd(hn::Sqrt(v), all(factors.root_correction), all(factors.epsilon));
    const auto step = hn::Div(hn::Mul(all(factors.rate), m), root);
    const auto value = hn::LoadU(tag, values + i);
    hn::StoreU(hn::MulSub(all(factors.kept), value, step), tag, values + i);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace hmtc
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hmtc {

HWY_EXPORT(update);

void adam_update(const AdamStep& step, float gradient_scale, std::span<const float> gradients,
                 float* values, float* first_moments, float* second_moments) {
  const auto n = static_cast<double>(step.number);
  const AdamFactors factors{
      .gradient_scale = gradient_scale,
      .beta1 = static_cast<float>(step.beta1),
      .beta2 = static_cast<float>(step.beta2),
      .one_minus_beta1 = static_cast<float>(1 - step.beta1),
      .one_minus_beta2 = static_cast<float>(1 - step.beta2),
      .rate = static_cast<float>(step.learning_rate / (1 - std::pow(step.beta1, n))),
      .root_correction = static_cast<float>(1 / std::sqrt(1 - std::pow(step.beta2, n))),
      .epsilon = static_cast<float>(step.epsilon),
      .kept = static_cast<float>(1 - step.learning_rate * step.weight_decay)};
  HWY_DYNAMIC_DISPATCH(update)(factors, gradients, values, first_moments, second_moments);
}

}  // namespace hmtc
#endif  // HWY_ONCE
