#include "kernels/lstm_cells.h"

// foreach_target.h compiles this file once for every instruction set, and must come first.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/lstm_cells.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "kernels/for_each_vector-inl.h"
#include "kernels/tanh-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hmtc {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void cells_forward(const LstmStep& step, const float* bias, const float* cells_before, float* gates,
                   float* cells, float* hidden) {
  const std::size_t width = step.width;
  for (std::size_t b = 0; b < step.count; ++b) {
    float* gate = gates + b * 4 * width;
    for_each_vector(width, [&](auto tag, std::size_t j) {
      const auto biased = [&](std::size_t at) {
        return hn::Add(hn::LoadU(tag, gate + at), hn::LoadU(tag, bias + at));
      };
      const auto i = fast_sigmoid(tag, biased(j));
      const auto f = fast_sigmoid(tag, biased(width + j));
      const auto g = fast_tanh(tag, biased(2 * width + j));
      const auto o = fast_sigmoid(tag, biased(3 * width + j));
      auto c = hn::Mul(i, g);
      if (cells_before != nullptr) {
        c = hn::MulAdd(f, hn::LoadU(tag, cells_before + b * width + j), c);
      }
      hn::StoreU(i, tag, gate + j);
      hn::StoreU(f, tag, gate + width + j);
      hn::StoreU(g, tag, gate + 2 * width + j);
      hn::StoreU(o, tag, gate + 3 * width + j);
      hn::StoreU(c, tag, cells + b * width + j);
      hn::StoreU(hn::Mul(o, fast_tanh(tag, c)), tag, hidden + b * width + j);
    });
  }
}

void cells_backward(const LstmStep& step, const float* cells_before, const float* cells,
                    const float* hidden_gradient, float* gates, float* cells_gradient,
                    float* bias_gradient) {
  const std::size_t width = step.width;
  for (std::size_t b = 0; b < step.count; ++b) {
    float* gate = gates + b * 4 * width;
    for_each_vector(width, [&](auto tag, std::size_t j) {
      const auto one = hn::Set(tag, 1.0F);
      const std::size_t at = b * width + j;
      const auto i = hn::LoadU(tag, gate + j);
      const auto f = hn::LoadU(tag, gate + width + j);
      const auto g = hn::LoadU(tag, gate + 2 * width + j);
      const auto o = hn::LoadU(tag, gate + 3 * width + j);
      const auto tanh_c = fast_tanh(tag, hn::LoadU(tag, cells + at));
      const auto before =
          cells_before != nullptr ? hn::LoadU(tag, cells_before + at) : hn::Zero(tag);
      const auto dh = hn::LoadU(tag, hidden_gradient + at);
      const auto dc = hn::MulAdd(hn::Mul(dh, o), hn::NegMulAdd(tanh_c, tanh_c, one),
                                 hn::LoadU(tag, cells_gradient + at));
      const auto slope = [&](auto y) { return hn::Mul(y, hn::Sub(one, y)); };  // of the sigmoid
      const auto store = [&](std::size_t place, auto gradient) {
        hn::StoreU(gradient, tag, gate + place);
        hn::StoreU(hn::Add(hn::LoadU(tag, bias_gradient + place), gradient), tag,
                   bias_gradient + place);
      };
      store(j, hn::Mul(hn::Mul(dc, g), slope(i)));
      store(width + j, hn::Mul(hn::Mul(dc, before), slope(f)));
      store(2 * width + j, hn::Mul(hn::Mul(dc, i), hn::NegMulAdd(g, g, one)));
      store(3 * width + j, hn::Mul(hn::Mul(dh, tanh_c), slope(o)));
      hn::StoreU(hn::Mul(dc, f), tag, cells_gradient + at);
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

void lstm_cells_forward(const LstmStep& step, const float* bias, const float* cells_before,
                        float* gates, float* cells, float* hidden) {
  HWY_DYNAMIC_DISPATCH(cells_forward)(step, bias, cells_before, gates, cells, hidden);
}

void lstm_cells_backward(const LstmStep& step, const float* cells_before, const float* cells,
                         const float* hidden_gradient, float* gates, float* cells_gradient,
                         float* bias_gradient) {
  HWY_DYNAMIC_DISPATCH(cells_backward)
  (step, cells_before, cells, hidden_gradient, gates, cells_gradient, bias_gradient);
}

}  // namespace hmtc
#endif  // HWY_ONCE
