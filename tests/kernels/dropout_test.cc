#include "kernels/dropout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/random.h"
#include "support/instruction_sets.h"

namespace hmtc {
namespace {

std::vector<float> dropped(std::size_t count, double rate, std::uint64_t seed) {
  const std::vector<float> ones(count, 1.0F);
  std::vector<float> out(count, -1.0F);
  drop_out(ones, rate, seed, out.data());
  return out;
}

TEST(DropOut, NothingIsDroppedFromNothing) { EXPECT_TRUE(dropped(0, 0.5, 1).empty()); }

TEST(DropOut, WhatIsKeptGrowsByTheShareThatIsDropped) {
  for (const float value : dropped(1000, 0.75, 3)) EXPECT_TRUE(value == 0 || value == 4) << value;
}

TEST(DropOut, AsManyAreDroppedAsTheRateSays) {
  for (const double rate : {0.1, 0.5, 0.9}) {
    for (const std::uint64_t seed : {0ULL, 1ULL, 1ULL << 40U, ~0ULL}) {
      const std::vector<float> out = dropped(100000, rate, seed);
      const auto zeros = std::count(out.begin(), out.end(), 0.0F);
      // Four standard deviations of a count: 4 sqrt(100000 * 0.5 * 0.5) = 632.
      EXPECT_NEAR(static_cast<double>(zeros), 100000 * rate, 632) << rate << ' ' << seed;
    }
  }
}

TEST(DropOut, NeighboursAndSeedsAreIndependent) {
  const std::vector<float> out = dropped(100100, 0.5, 7);
  const std::vector<float> other = dropped(100100, 0.5, mix_seed(7, 1));
  const auto num_same = [&](const std::vector<float>& values, std::size_t distance) {
    int same = 0;
    for (std::size_t i = 0; i < 100000; ++i) same += out[i] == values[i + distance] ? 1 : 0;
    return same;
  };
  for (const std::size_t distance : {1, 2, 7, 64}) {
    EXPECT_NEAR(num_same(out, distance), 50000, 632) << distance;
    EXPECT_NEAR(num_same(other, distance), 50000, 632) << distance;
  }
  EXPECT_NEAR(num_same(other, 0), 50000, 632);
}

TEST(DropOut, EveryInstructionSetDropsTheSame) {
  const std::vector<float> expected = dropped(77, 0.4, 5);
  for_each_instruction_set([&] { EXPECT_EQ(dropped(77, 0.4, 5), expected); });
}

}  // namespace
}  // namespace hmtc
