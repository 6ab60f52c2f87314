#include "kernels/row_products.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "support/instruction_sets.h"

namespace hmtc {
namespace {

TEST(MultiplyRows, NoRowsAreNoProducts) {
  multiply_rows({nullptr, 0, 3}, {nullptr, 0, 3}, 3, nullptr, 0);
}

TEST(MultiplyRows, EveryRowMeetsEveryRow) {
  const std::vector<float> left = {1, 2, 3, 4};                  // (2, 2)
  const std::vector<float> right = {1, 0, 9, 0, 1, 9, 2, 2, 9};  // (3, 2), rows 3 apart
  std::vector<float> out(6);
  multiply_rows({left.data(), 2, 2}, {right.data(), 3, 3}, 2, out.data(), 3);
  EXPECT_THAT(out, testing::ElementsAre(1, 2, 6, 3, 4, 14));
}

TEST(MultiplyRows, OddSizesOnEveryInstructionSet) {
  // Row i of the left is all i + 1, row j of the right all j - 2: a product is depth (i + 1)(j -
  // 2).
  for (const std::size_t depth : {1, 15, 16, 37, 512}) {
    std::vector<float> left, right;
    for (int i = 0; i < 6; ++i) left.insert(left.end(), depth, static_cast<float>(i + 1));
    for (int j = 0; j < 7; ++j) right.insert(right.end(), depth, static_cast<float>(j - 2));
    for_each_instruction_set([&] {
      std::vector<float> out(6 * 7);
      multiply_rows({left.data(), 6, depth}, {right.data(), 7, depth}, depth, out.data(), 7);
      for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 7; ++j) {
          EXPECT_EQ(out[static_cast<std::size_t>(i * 7 + j)],
                    static_cast<float>(static_cast<int>(depth) * (i + 1) * (j - 2)));
        }
      }
    });
  }
}

}  // namespace
}  // namespace hmtc
