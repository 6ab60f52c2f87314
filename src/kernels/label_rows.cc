#include "kernels/label_rows.h"

// foreach_target.h compiles this file once for every instruction set, and must come first.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/label_rows.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
// clang-format on

#include "kernels/for_each_vector-inl.h"
#include "kernels/tanh-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hmtc {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void shifted_tanh(float* values, std::size_t rows, std::size_t columns, const float* shift) {
  for (std::size_t row = 0; row < rows; ++row) {
    float* x = values + row * columns;
    for_each_vector(columns, [&](auto tag, std::size_t i) {
      const auto sum = hn::Add(hn::LoadU(tag, x + i), hn::LoadU(tag, shift + i));
      hn::StoreU(fast_tanh(tag, sum), tag, x + i);
    });
  }
}

void shifted_tanh_backward(const float* values, float* gradients, std::size_t rows,
                           std::size_t columns, float* shift_gradient) {
  for (std::size_t row = 0; row < rows; ++row) {
    const float* y = values + row * columns;
    float* g = gradients + row * columns;
    for_each_vector(columns, [&](auto tag, std::size_t i) {
      const auto value = hn::LoadU(tag, y + i);
      const auto slope = hn::NegMulAdd(value, value, hn::Set(tag, 1.0F));
      const auto before = hn::Mul(hn::LoadU(tag, g + i), slope);
      hn::StoreU(before, tag, g + i);
      hn::StoreU(hn::Add(hn::LoadU(tag, shift_gradient + i), before), tag, shift_gradient + i);
    });
  }
}

void shift_each(float* values, std::size_t stride, std::size_t rows, std::size_t columns,
                const float* shift) {
  for (std::size_t row = 0; row < rows; ++row) add_each(shift, columns, values + row * stride);
}

void shift_each_backward(const float* gradients, std::size_t stride, std::size_t rows,
                         std::size_t columns, float* shift_gradient) {
  for (std::size_t row = 0; row < rows; ++row) {
    add_each(gradients + row * stride, columns, shift_gradient);
  }
}

void softmax(float* values, std::size_t stride, std::size_t rows, std::size_t columns) {
  if (columns == 0) return;
  for (std::size_t row = 0; row < rows; ++row) {
    float* x = values + row * stride;
    float largest = x[0];
    fold_vectors(
        columns, hn::Set(kVectorTag, x[0]),
        [&](auto tag, std::size_t i, auto sum) { return hn::Max(sum, hn::LoadU(tag, x + i)); },
        [&](auto tag, auto sum) {
          largest = std::max(largest, hn::GetLane(hn::MaxOfLanes(tag, sum)));
        });
    float total = 0;
    fold_vectors(
        columns, hn::Zero(kVectorTag),
        [&](auto tag, std::size_t i, auto sum) {
          const auto power = hn::Exp(tag, hn::Sub(hn::LoadU(tag, x + i), hn::Set(tag, largest)));
          hn::StoreU(power, tag, x + i);
          return hn::Add(sum, power);
        },
        [&](auto tag, auto sum) { total += hn::GetLane(hn::SumOfLanes(tag, sum)); });
    const float scale = 1 / total;
    for_each_vector(columns, [&](auto tag, std::size_t i) {
      hn::StoreU(hn::Mul(hn::LoadU(tag, x + i), hn::Set(tag, scale)), tag, x + i);
    });
  }
}

void softmax_backward(const float* values, float* gradients, std::size_t stride, std::size_t rows,
                      std::size_t columns) {
  for (std::size_t row = 0; row < rows; ++row) {
    const float* y = values + row * stride;
    float* g = gradients + row * stride;
    float total = 0;
    fold_vectors(
        columns, hn::Zero(kVectorTag),
        [&](auto tag, std::size_t i, auto sum) {
          return hn::MulAdd(hn::LoadU(tag, y + i), hn::LoadU(tag, g + i), sum);
        },
        [&](auto tag, auto sum) { total += hn::GetLane(hn::SumOfLanes(tag, sum)); });
    for_each_vector(columns, [&](auto tag, std::size_t i) {
      const auto centred = hn::Sub(hn::LoadU(tag, g + i), hn::Set(tag, total));
      hn::StoreU(hn::Mul(hn::LoadU(tag, y + i), centred), tag, g + i);
    });
  }
}

void rows_forward(const LabelRows& labels, const float* D, std::size_t stride, float* local_logits,
                  float* sum_D_tilde, float* sum_D) {
  const std::size_t width = labels.width;
  for (std::size_t row = 0; row < labels.rows; ++row) {
    const float m = labels.m == nullptr ? 1.0F : labels.m[row];
    const float* x = D + row * stride;
    const float* readout = labels.readout + row * width;
    float logit = 0;
    fold_vectors(
        width, hn::Zero(kVectorTag),
        [&](auto tag, std::size_t i, auto sum) {
          const auto biased = hn::Add(hn::LoadU(tag, x + i), hn::LoadU(tag, labels.bias + i));
          const auto d = hn::Max(biased, hn::Zero(tag));
          hn::StoreU(hn::Add(hn::LoadU(tag, sum_D + i), d), tag, sum_D + i);
          hn::StoreU(hn::MulAdd(hn::Set(tag, m), d, hn::LoadU(tag, sum_D_tilde + i)), tag,
                     sum_D_tilde + i);
          return hn::MulAdd(d, hn::LoadU(tag, readout + i), sum);
        },
        [&](auto tag, auto sum) { logit += hn::GetLane(hn::SumOfLanes(tag, sum)); });
    local_logits[row] = m * logit;
  }
}

void rows_backward(const LabelRows& labels, const LabelRowsGradients& gradients, float* D,
                   std::size_t stride) {
  const std::size_t width = labels.width;
  for (std::size_t row = 0; row < labels.rows; ++row) {
    const float m = labels.m == nullptr ? 1.0F : labels.m[row];
    const float logit_gradient = gradients.local_logits[row];
    float* x = D + row * stride;
    const float* readout = labels.readout + row * width;
    float* readout_gradient = gradients.readout + row * width;
    float m_gradient = 0;
    fold_vectors(
        width, hn::Zero(kVectorTag),
        [&](auto tag, std::size_t i, auto sum) {
          const auto zero = hn::Zero(tag);
          const auto biased = hn::Add(hn::LoadU(tag, x + i), hn::LoadU(tag, labels.bias + i));
          const auto d = hn::Max(biased, zero);
          // Of D~_j, then of D_j.
          const auto outer = hn::MulAdd(hn::Set(tag, logit_gradient), hn::LoadU(tag, readout + i),
                                        hn::LoadU(tag, gradients.sum_D_tilde + i));
          const auto inner =
              hn::MulAdd(hn::Set(tag, m), outer, hn::LoadU(tag, gradients.sum_D + i));
          const auto before = hn::IfThenElse(hn::Gt(biased, zero), inner, zero);
          hn::StoreU(before, tag, x + i);
          hn::StoreU(hn::Add(hn::LoadU(tag, gradients.bias + i), before), tag, gradients.bias + i);
          hn::StoreU(
              hn::MulAdd(hn::Set(tag, m * logit_gradient), d, hn::LoadU(tag, readout_gradient + i)),
              tag, readout_gradient + i);
          return hn::MulAdd(d, outer, sum);
        },
        [&](auto tag, auto sum) { m_gradient += hn::GetLane(hn::SumOfLanes(tag, sum)); });
    if (gradients.m != nullptr) gradients.m[row] += m_gradient;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace hmtc
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hmtc {

HWY_EXPORT(shifted_tanh);
HWY_EXPORT(shifted_tanh_backward);
HWY_EXPORT(shift_each);
HWY_EXPORT(shift_each_backward);
HWY_EXPORT(softmax);
HWY_EXPORT(softmax_backward);
HWY_EXPORT(rows_forward);
HWY_EXPORT(rows_backward);

void tanh_rows(float* values, std::size_t rows, std::size_t columns, const float* shift) {
  HWY_DYNAMIC_DISPATCH(shifted_tanh)(values, rows, columns, shift);
}

void tanh_rows_backward(const float* values, float* gradients, std::size_t rows,
                        std::size_t columns, float* shift_gradient) {
  HWY_DYNAMIC_DISPATCH(shifted_tanh_backward)(values, gradients, rows, columns, shift_gradient);
}

void shift_rows(float* values, std::size_t stride, std::size_t rows, std::size_t columns,
                const float* shift) {
  HWY_DYNAMIC_DISPATCH(shift_each)(values, stride, rows, columns, shift);
}

void shift_rows_backward(const float* gradients, std::size_t stride, std::size_t rows,
                         std::size_t columns, float* shift_gradient) {
  HWY_DYNAMIC_DISPATCH(shift_each_backward)(gradients, stride, rows, columns, shift_gradient);
}

void softmax_rows(float* values, std::size_t stride, std::size_t rows, std::size_t columns) {
  HWY_DYNAMIC_DISPATCH(softmax)(values, stride, rows, columns);
}

void softmax_rows_backward(const float* values, float* gradients, std::size_t stride,
                           std::size_t rows, std::size_t columns) {
  HWY_DYNAMIC_DISPATCH(softmax_backward)(values, gradients, stride, rows, columns);
}

void label_rows_forward(const LabelRows& labels, const float* D, std::size_t stride,
                        float* local_logits, float* sum_D_tilde, float* sum_D) {
  HWY_DYNAMIC_DISPATCH(rows_forward)(labels, D, stride, local_logits, sum_D_tilde, sum_D);
}

void label_rows_backward(const LabelRows& labels, const LabelRowsGradients& gradients, float* D,
                         std::size_t stride) {
  HWY_DYNAMIC_DISPATCH(rows_backward)(labels, gradients, D, stride);
}

}  // namespace hmtc
#endif  // HWY_ONCE
