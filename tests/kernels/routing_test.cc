#include "kernels/routing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/instruction_sets.h"

namespace hmtc {
namespace {

using testing::FloatNear;
using testing::Pointwise;

const float kLog3 = std::log(3.0F);

TEST(Route, WithoutAGroupNothingIsSet) {
  route({0, 3, 2, 1}, nullptr, nullptr, nullptr);
  route_backward({0, 3, 2, 1}, nullptr, nullptr, nullptr, nullptr);
}

TEST(Route, EachCapsuleIsSharedOutByItsAgreementWithTheLabels) {
  // Two groups of one capsule of one number; two labels. The first group: u = 1, u . Q = (0, ln 3),
  // so c = (1/4, 3/4). The second: u = 2, Q = 0, so c = (1/2, 1/2).
  const std::vector<float> u = {1, 2};             // (2, 1, 1)
  const std::vector<float> Q = {0, 0, kLog3, 0};   // (2 labels, 2 groups, 1)
  const std::vector<float> of_X = {4, 10, 8, 20};  // its gradient
  for_each_instruction_set([&] {
    std::vector<float> X(4), of_u(2);
    route({2, 1, 2, 1}, u.data(), Q.data(), X.data());
    EXPECT_THAT(X, Pointwise(FloatNear(1e-6F), {0.25F, 1.0F, 0.75F, 1.0F}));
    route_backward({2, 1, 2, 1}, u.data(), Q.data(), of_X.data(), of_u.data());
    // 4/4 + 8 * 3/4 = 7, and 10/2 + 20/2 = 15.
    EXPECT_THAT(of_u, Pointwise(FloatNear(1e-5F), {7.0F, 15.0F}));
  });
}

TEST(Route, PlacesAreAddedUp) {
  // One group, three places, two numbers; Q = 0 gives each of four labels a quarter.
  const std::vector<float> u = {1, 10, 2, 20, 3, 30};
  const std::vector<float> Q(8);
  std::vector<float> X(8);
  route({1, 3, 4, 2}, u.data(), Q.data(), X.data());
  EXPECT_THAT(X, Pointwise(FloatNear(1e-5F), {1.5F, 15.0F, 1.5F, 15.0F, 1.5F, 15.0F, 1.5F, 15.0F}));
}

TEST(Route, MoreLabelsThanWeightsAreHeldAtOnce) {
  // As above with so many labels that the places pass one by one.
  constexpr std::size_t kLabels = 40000;
  const std::vector<float> u = {1, 2, 3};
  const std::vector<float> Q(kLabels);
  std::vector<float> X(kLabels), of_u(3);
  route({1, 3, kLabels, 1}, u.data(), Q.data(), X.data());
  for (const float x : X) ASSERT_NEAR(x, 6.0 / kLabels, 1e-8);
  const std::vector<float> of_X(kLabels, 5);
  route_backward({1, 3, kLabels, 1}, u.data(), Q.data(), of_X.data(), of_u.data());
  EXPECT_THAT(of_u, Pointwise(FloatNear(1e-2F), {5.0F, 5.0F, 5.0F}));
}

}  // namespace
}  // namespace hmtc
