#include "kernels/sums.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/instruction_sets.h"

namespace hmtc {
namespace {

TEST(AddTo, NothingIsAddedToNothing) { add_to({}, nullptr); }

TEST(AddTo, EveryElementIsAdded) {
  for_each_instruction_set([] {
    const std::vector<float> from(37, 2.0F);
    std::vector<float> to(37, 1.5F);
    add_to(from, to.data());
    EXPECT_EQ(to, std::vector<float>(37, 3.5F));
  });
}

TEST(MoveTowards, NothingIsMoved) { move_towards({}, 1, nullptr); }

TEST(MoveTowards, EveryElementGoesItsPartOfTheWay) {
  for_each_instruction_set([] {
    const std::vector<float> targets(37, 9.0F);
    std::vector<float> values(37, 1.0F);
    move_towards(targets, 0.25F, values.data());
    EXPECT_EQ(values, std::vector<float>(37, 3.0F));  // 1 + 0.25 * 8
  });
}

TEST(SumOfSquares, OfNothingIsZero) { EXPECT_EQ(sum_of_squares({}), 0); }

TEST(SumOfSquares, ManySmallNumbersStillCount) {
  // 1 + 3,000,000 * 0.001^2 = 4; in floats 1 + 0.000001 loses a part of each.
  std::vector<float> values(3000001, 0.001F);
  values[0] = 1;
  for_each_instruction_set([&] { EXPECT_NEAR(sum_of_squares(values), 4, 1e-4); });
}

}  // namespace
}  // namespace hmtc
