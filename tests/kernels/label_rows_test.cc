#include "kernels/label_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/instruction_sets.h"

namespace hmtc {
namespace {

using testing::FloatNear;
using testing::Pointwise;

TEST(LabelRows, SoftmaxOfEqualNumbersIsEvenWhateverTheirSize) {
  for_each_instruction_set([] {
    for (const std::size_t columns : {1, 3, 8, 16, 21}) {
      for (const float value : {-3e4F, 0.0F, 80.0F, 3e4F}) {
        std::vector<float> row(columns + 1, value);
        softmax_rows(row.data(), columns + 1, 1, columns);
        for (std::size_t i = 0; i < columns; ++i) {
          EXPECT_FLOAT_EQ(row[i], 1 / static_cast<float>(columns));
        }
        EXPECT_EQ(row[columns], value);
      }
    }
  });
}

TEST(LabelRows, SoftmaxGivesEachRowItsShares) {
  for_each_instruction_set([] {
    // e^0 : e^(log 3) = 1 : 3; far below the largest there is nothing left
    std::vector<float> rows = {0, std::log(3.0F), 99, -200, 5, 99};
    softmax_rows(rows.data(), 3, 2, 2);
    EXPECT_THAT(rows, Pointwise(FloatNear(1e-6F), std::vector<float>{0.25, 0.75, 99, 0, 1, 99}));
    softmax_rows(rows.data(), 3, 2, 0);  // a document without a word
  });
}

TEST(LabelRows, SoftmaxBackwardTakesTheMeanGradientAway) {
  for_each_instruction_set([] {
    const std::vector<float> y = {0.25, 0.75, 7};
    std::vector<float> g = {4, 8, 7};  // mean 0.25 * 4 + 0.75 * 8 = 7
    softmax_rows_backward(y.data(), g.data(), 3, 1, 2);
    EXPECT_THAT(g, Pointwise(FloatNear(1e-6F), std::vector<float>{-0.75, 0.75, 7}));
  });
}

TEST(LabelRows, AShiftIsAddedToTheColumnsOfEachRowAndNoFurther) {
  for_each_instruction_set([] {
    for (const std::size_t columns : {0, 1, 8, 16, 21}) {
      const std::size_t stride = columns + 1;
      std::vector<float> rows(2 * stride, 5), shift(columns);
      for (std::size_t i = 0; i < columns; ++i) shift[i] = static_cast<float>(i);
      shift_rows(rows.data(), stride, 2, columns, shift.data());
      for (std::size_t row = 0; row < 2; ++row) {
        for (std::size_t i = 0; i < columns; ++i) {
          EXPECT_EQ(rows[row * stride + i], 5 + static_cast<float>(i));
        }
        EXPECT_EQ(rows[row * stride + columns], 5);
      }
    }
  });
}

TEST(LabelRows, TheGradientOfAShiftIsTheSumOverTheRows) {
  for_each_instruction_set([] {
    const std::vector<float> gradients = {1, 2, 99, 10, 20, 99};
    std::vector<float> shift = {100, 200};
    shift_rows_backward(gradients.data(), 3, 2, 2, shift.data());
    EXPECT_EQ(shift, (std::vector<float>{111, 222}));  // added to what was there
  });
}

/// Two labels, width 1: D before the bias 3 and -5, bias 1, so that D is 4 and 0.
struct TwoLabels {
  std::vector<float> D = {3, -5};
  std::vector<float> bias = {1};
  std::vector<float> m = {0.5, 2};
  std::vector<float> readout = {10, 20};
  LabelRows rows() const { return {2, 1, bias.data(), m.data(), readout.data()}; }
};

TEST(LabelRows, ForwardGivesLogitsAndBothSums) {
  for_each_instruction_set([] {
    const TwoLabels labels;
    std::vector<float> logits(2), sum_D_tilde = {100}, sum_D = {1000};
    label_rows_forward(labels.rows(), labels.D.data(), 1, logits.data(), sum_D_tilde.data(),
                       sum_D.data());
    EXPECT_EQ(logits, (std::vector<float>{20, 0}));  // 0.5 * 4 * 10, and relu cuts the other
    EXPECT_EQ(sum_D_tilde[0], 102);                  // added to what was there
    EXPECT_EQ(sum_D[0], 1004);
  });
}

TEST(LabelRows, BackwardGivesEveryGradient) {
  for_each_instruction_set([] {
    TwoLabels labels;
    const std::vector<float> logit_gradient = {3, 7}, sum_D_tilde = {5}, sum_D = {11};
    std::vector<float> bias = {1}, m = {1, 1}, readout = {1, 1};
    label_rows_backward(labels.rows(),
                        {logit_gradient.data(), sum_D_tilde.data(), sum_D.data(), bias.data(),
                         m.data(), readout.data()},
                        labels.D.data(), 1);
    // of D~: 3 * 10 + 5 = 35; of D: 0.5 * 35 + 11 = 28.5; the second is cut by relu
    EXPECT_EQ(labels.D, (std::vector<float>{28.5, 0}));
    EXPECT_EQ(bias[0], 29.5F);
    EXPECT_EQ(m, (std::vector<float>{141, 1}));      // 1 + 4 * 35
    EXPECT_EQ(readout, (std::vector<float>{7, 1}));  // 1 + 0.5 * 3 * 4
  });
}

}  // namespace
}  // namespace hmtc
