#include "encoder/dropout.h"

#include <gtest/gtest.h>

#include "support/tensors.h"

namespace hmtc {
namespace {

TEST(Dropout, IsTheIdentityWhenNotTrainingOrAtRateZero) {
  const torch::Tensor values = torch::randn({3, 5});
  EXPECT_TRUE(torch::equal(dropout(values, 0.5, /*is_training=*/false, 1), values));
  EXPECT_TRUE(torch::equal(dropout(values, 0, /*is_training=*/true, 1), values));
}

TEST(Dropout, TheGradientPassesWhereTheValuesDid) {
  const torch::Tensor values = torch::ones({4, 50}).requires_grad_();
  const torch::Tensor out = dropout(values, 0.75, /*is_training=*/true, 9);
  EXPECT_GT((out == 0).sum().item<int>(), 100);
  EXPECT_GT((out == 4).sum().item<int>(), 20);
  out.sum().backward();
  EXPECT_TRUE(torch::equal(values.grad(), out));  // of ones: the mask itself
}

TEST(Dropout, TheSeedAloneDecides) {
  const torch::Tensor values = torch::ones({100});
  const torch::Tensor out = dropout(values, 0.5, true, 1);
  EXPECT_TRUE(torch::equal(dropout(values, 0.5, true, 1), out));
  EXPECT_FALSE(torch::equal(dropout(values, 0.5, true, 2), out));
}

TEST(Dropout, OtherTypesDropTheSameElements) {
  const torch::Tensor floats = dropout(torch::ones({100}), 0.5, true, 1);
  const torch::Tensor doubles = dropout(torch::ones({100}, torch::kFloat64), 0.5, true, 1);
  EXPECT_TRUE(torch::equal(doubles.to(torch::kFloat32), floats));
}

}  // namespace
}  // namespace hmtc
