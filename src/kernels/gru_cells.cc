#include "kernels/gru_cells.h"

// foreach_target.h compiles this file once for every instruction set, and must come first.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/gru_cells.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "kernels/for_each_vector-inl.h"
#include "kernels/tanh-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hmtc {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The state before, or zeros.
template <typename D>
HWY_INLINE hn::Vec<D> load_or_zero(D tag, const float* values, std::size_t at) {
  return values != nullptr ? hn::LoadU(tag, values + at) : hn::Zero(tag);
}

void cells_forward(const GruStep& step, const float* hidden_before, float* gates, float* hidden) {
  const std::size_t width = step.width;
  for (std::size_t b = 0; b < step.count; ++b) {
    float* gate = gates + b * 4 * width;
    for_each_vector(width, [&](auto tag, std::size_t j) {
      const std::size_t at = b * width + j;
      const auto q = hn::LoadU(tag, gate + j);
      const auto r = fast_sigmoid(tag, hn::LoadU(tag, gate + width + j));
      const auto z = fast_sigmoid(tag, hn::LoadU(tag, gate + 2 * width + j));
      const auto n = fast_tanh(tag, hn::MulAdd(r, q, hn::LoadU(tag, gate + 3 * width + j)));
      hn::StoreU(r, tag, gate + width + j);
      hn::StoreU(z, tag, gate + 2 * width + j);
      hn::StoreU(n, tag, gate + 3 * width + j);
      const auto before = load_or_zero(tag, hidden_before, at);
      hn::StoreU(hn::MulAdd(z, hn::Sub(before, n), n), tag, hidden + at);
    });
  }
}

void cells_backward(const GruStep& step, const float* hidden_before, float* gates,
                    float* hidden_gradient) {
  const std::size_t width = step.width;
  for (std::size_t b = 0; b < step.count; ++b) {
    float* gate = gates + b * 4 * width;
    for_each_vector(width, [&](auto tag, std::size_t j) {
      const auto one = hn::Set(tag, 1.0F);
      const std::size_t at = b * width + j;
      const auto q = hn::LoadU(tag, gate + j);
      const auto r = hn::LoadU(tag, gate + width + j);
      const auto z = hn::LoadU(tag, gate + 2 * width + j);
      const auto n = hn::LoadU(tag, gate + 3 * width + j);
      const auto before = load_or_zero(tag, hidden_before, at);
      const auto dh = hn::LoadU(tag, hidden_gradient + at);
      const auto slope = [&](auto y) { return hn::Mul(y, hn::Sub(one, y)); };  // of the sigmoid
      const auto dn = hn::Mul(hn::Mul(dh, hn::Sub(one, z)), hn::NegMulAdd(n, n, one));
      hn::StoreU(hn::Mul(dn, r), tag, gate + j);
      hn::StoreU(hn::Mul(hn::Mul(dn, q), slope(r)), tag, gate + width + j);
      hn::StoreU(hn::Mul(hn::Mul(dh, hn::Sub(before, n)), slope(z)), tag, gate + 2 * width + j);
      hn::StoreU(dn, tag, gate + 3 * width + j);
      hn::StoreU(hn::Mul(dh, z), tag, hidden_gradient + at);
    });
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace hmtc
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hmtc {

HWY_EXPORT(cells_forward);
HWY_EXPORT(cells_backward);

void gru_cells_forward(const GruStep& step, const float* hidden_before, float* gates,
                       float* hidden) {
  HWY_DYNAMIC_DISPATCH(cells_forward)(step, hidden_before, gates, hidden);
}

void gru_cells_backward(const GruStep& step, const float* hidden_before, float* gates,
                        float* hidden_gradient) {
  HWY_DYNAMIC_DISPATCH(cells_backward)(step, hidden_before, gates, hidden_gradient);
}

}  // namespace hmtc
#endif  // HWY_ONCE
