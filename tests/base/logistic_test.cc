#include "base/logistic.h"

#include <gtest/gtest.h>

namespace hmtc {
namespace {

TEST(Sigmoid, OfALogitIsTheShareOfItsOdds) {
  EXPECT_FLOAT_EQ(sigmoid(0), 0.5F);
  EXPECT_FLOAT_EQ(sigmoid(std::log(3.0F)), 0.75F);  // odds of 3 to 1
  EXPECT_EQ(sigmoid(-200), 0);
}

TEST(BoundedLogit, UndoesTheSigmoidWithinItsBounds) {
  EXPECT_FLOAT_EQ(bounded_logit(0.5F), 0);
  EXPECT_FLOAT_EQ(bounded_logit(0.75F), std::log(3.0F));
  EXPECT_FLOAT_EQ(bounded_logit(0.0F), -16);
  EXPECT_FLOAT_EQ(bounded_logit(1.0F), 16);
}

}  // namespace
}  // namespace hmtc
