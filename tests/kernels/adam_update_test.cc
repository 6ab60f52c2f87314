#include "kernels/adam_update.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/instruction_sets.h"

namespace hmtc {
namespace {

using testing::FloatNear;
using testing::Pointwise;

/// One parameter array with its moments.
struct Parameter {
  explicit Parameter(std::vector<float> start)
      : values(std::move(start)), first(values.size()), second(values.size()) {}

  void update(const AdamStep& step, float scale, const std::vector<float>& gradients) {
    adam_update(step, scale, gradients, values.data(), first.data(), second.data());
  }

  std::vector<float> values, first, second;
};

TEST(AdamUpdate, NothingIsDoneToNoValues) {
  Parameter none({});
  none.update({}, 1, {});
  EXPECT_TRUE(none.values.empty());
}

TEST(AdamUpdate, AZeroGradientMovesNothing) {
  Parameter parameter({3});
  parameter.update({.learning_rate = 0.1}, 1, {0});
  EXPECT_EQ(parameter.values[0], 3);  // 0 / (0 + epsilon), not 0 / 0
}

TEST(AdamUpdate, TheFirstStepIsTheLearningRateAgainstTheSignWhateverTheSize) {
  // m / (1 - beta1) = g and sqrt(v / (1 - beta2)) = |g|: the step is 0.1 g / |g|.
  Parameter parameter({1, 1});
  parameter.update({.learning_rate = 0.1}, 1, {2, -0.03F});
  EXPECT_THAT(parameter.values, Pointwise(FloatNear(1e-6F), {0.9F, 1.1F}));
  EXPECT_THAT(parameter.first, Pointwise(FloatNear(1e-7F), {0.2F, -0.003F}));
  EXPECT_THAT(parameter.second, Pointwise(FloatNear(1e-8F), {0.004F, 0.0000009F}));
}

TEST(AdamUpdate, TwoStepsAreAsComputedByHand) {
  // Step 1, g = 1: m = 0.1, v = 0.001; 1 - 0.1 * 1 / 1 = 0.9.
  // Step 2, g = -1: m = 0.09 - 0.1 = -0.01, over 1 - 0.81: -0.0526316;
  //   v = 0.000999 + 0.001 = 0.001999, over 1 - 0.998001: 1; 0.9 + 0.1 * 0.0526316 = 0.9052632.
  Parameter parameter({1});
  parameter.update({.learning_rate = 0.1, .number = 1}, 1, {1});
  EXPECT_NEAR(parameter.values[0], 0.9, 1e-6);
  parameter.update({.learning_rate = 0.1, .number = 2}, 1, {-1});
  EXPECT_NEAR(parameter.first[0], -0.01, 1e-7);
  EXPECT_NEAR(parameter.second[0], 0.001999, 1e-8);
  EXPECT_NEAR(parameter.values[0], 0.9052632, 1e-6);
}

TEST(AdamUpdate, TheScaleMultipliesTheGradientBeforeTheMoments) {
  // g = 8 * 0.25 = 2: m = 0.2, v = 0.001 * 4.
  Parameter parameter({0});
  parameter.update({}, 0.25F, {8});
  EXPECT_NEAR(parameter.first[0], 0.2, 1e-6);
  EXPECT_NEAR(parameter.second[0], 0.004, 1e-7);
}

TEST(AdamUpdate, WeightDecayShrinksTheValueBesideTheStep) {
  // 3 (1 - 0.1 * 0.5) = 2.85, and the first step of a gradient is the learning rate. The moments
  // know nothing of the decay.
  Parameter parameter({3, 3});
  parameter.update({.learning_rate = 0.1, .weight_decay = 0.5}, 1, {0, 2});
  EXPECT_THAT(parameter.values, Pointwise(FloatNear(1e-6F), {2.85F, 2.75F}));
  EXPECT_THAT(parameter.first, Pointwise(FloatNear(1e-7F), {0.0F, 0.2F}));
}

TEST(AdamUpdate, EpsilonStandsOutsideTheRoot) {
  // m^ = 1, sqrt(v^) = 1: the step is 0.1 * 1 / (1 + 1) with epsilon 1.
  Parameter parameter({0});
  parameter.update({.learning_rate = 0.1, .epsilon = 1}, 1, {1});
  EXPECT_NEAR(parameter.values[0], -0.05, 1e-6);
}

TEST(AdamUpdate, ManyValuesMoveAsOneByOneWhateverTheInstructionSet) {
  const AdamStep step = {.learning_rate = 0.1, .weight_decay = 0.2, .number = 3};
  Parameter start(std::vector<float>(37));
  std::vector<float> gradients(37);
  for (std::size_t i = 0; i < 37; ++i) {
    const auto number = static_cast<float>(i);
    start.values[i] = std::sin(number);
    start.first[i] = std::cos(number);
    start.second[i] = 0.5F + 0.01F * number;
    gradients[i] = std::sin(2 * number);
  }
  Parameter one_by_one = start;
  for (std::size_t i = 0; i < 37; ++i) {
    adam_update(step, 0.5F, std::span(gradients).subspan(i, 1), &one_by_one.values[i],
                &one_by_one.first[i], &one_by_one.second[i]);
  }
  for_each_instruction_set([&] {
    Parameter together = start;
    together.update(step, 0.5F, gradients);
    EXPECT_THAT(together.values, Pointwise(FloatNear(1e-5F), one_by_one.values));
    EXPECT_THAT(together.first, Pointwise(FloatNear(1e-6F), one_by_one.first));
    EXPECT_THAT(together.second, Pointwise(FloatNear(1e-6F), one_by_one.second));
  });
}

}  // namespace
}  // namespace hmtc
