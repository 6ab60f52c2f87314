#include "base/pool.h"

#include <gtest/gtest.h>

namespace hmtc {
namespace {

class CountingPool : public testing::Test {
 protected:
  int made_ = 0;
  Pool<int> pool_{[this] { return std::make_unique<int>(made_++); }};
};

TEST_F(CountingPool, NothingIsMadeBeforeItIsWanted) { EXPECT_EQ(made_, 0); }

TEST_F(CountingPool, WhatWasGivenBackIsTakenAgain) {
  for (int i = 0; i < 3; ++i) EXPECT_EQ(*pool_.take(), 0);
  EXPECT_EQ(made_, 1);
}

TEST_F(CountingPool, TwoAtOnceAreTwo) {
  const auto first = pool_.take();
  const auto second = pool_.take();
  EXPECT_NE(*first, *second);
  EXPECT_EQ(made_, 2);
}

}  // namespace
}  // namespace hmtc
