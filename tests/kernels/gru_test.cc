#include "kernels/gru.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "support/instruction_sets.h"

namespace hmtc {
namespace {

using testing::ElementsAre;
using testing::FloatNear;
using testing::Pointwise;
using Direction = StepOrder::Direction;

/// One unit with r = sigmoid(-ln 3) = 0.25 and z = sigmoid(ln 3) = 0.75 whatever the word, and
/// q = h + 0.08. Each bias of r and z is half of the sum.
const float kLn3 = std::log(3.0F);
const std::array<float, 3> kInput = {0, 0, 1};
const std::array<float, 3> kRecurrent = {0, 0, 1};
const std::array<float, 3> kInputBias = {-kLn3 / 2, kLn3 / 2, 0};
const std::array<float, 3> kRecurrentBias = {-kLn3 / 2, kLn3 / 2, 0.08F};
const GruWeights kWeights{
    1, 1, kInput.data(), kRecurrent.data(), kInputBias.data(), kRecurrentBias.data()};

/// Two words that make n = tanh(ln 2) = 0.6 both times: r q is 0.25 * 0.08 at the first and
/// 0.25 * 0.23 at the second.
const float kLn2 = std::log(2.0F);
const std::array<float, 2> kWords = {kLn2 - 0.02F, kLn2 - 0.0575F};
const std::array<std::int64_t, 1> kLengths = {2};

auto is_near(std::vector<float> expected) { return Pointwise(FloatNear(1e-6F), expected); }

TEST(Gru, NoWordTouchesNothing) {
  const std::array<std::int64_t, 1> none = {0};
  const StepOrder order(none, 2, Direction::kForward);
  std::array<float, 2> out = {7, 7};
  GruTrace trace = gru_forward(PackedGru(kWeights), order, kWords.data(), out.data(), 1);
  EXPECT_THAT(out, ElementsAre(7, 7));
  gru_backward(kWeights, order, std::move(trace), out.data(), 1, {});
}

TEST(Gru, StatesOfTwoWordsByHand) {
  const StepOrder order(kLengths, 2, Direction::kForward);
  for_each_instruction_set([&] {
    std::array<float, 2> out = {};
    gru_forward(PackedGru(kWeights), order, kWords.data(), out.data(), 1);
    // 0.25 * 0.6, then 0.25 * 0.6 + 0.75 * 0.15
    EXPECT_THAT(out, is_near({0.15F, 0.2625F}));
  });
}

TEST(Gru, BackwardDirectionStartsAtTheLastWord) {
  const StepOrder order(kLengths, 2, Direction::kBackward);
  const std::array<float, 2> turned = {kWords[1], kWords[0]};
  std::array<float, 2> out = {};
  gru_forward(PackedGru(kWeights), order, turned.data(), out.data(), 1);
  EXPECT_THAT(out, is_near({0.2625F, 0.15F}));
}

TEST(Gru, GradientsOfTheLastStateByHand) {
  // Second word, dh = 1:  dn = 0.25 * (1 - 0.36) = 0.16,  dz = (0.15 - 0.6) * 0.1875 = -0.084375,
  //   dr = 0.16 * 0.23 * 0.1875 = 0.0069,  dq = 0.16 * 0.25 = 0.04,  dh before = 0.75 + 0.04.
  // First word, dh = 0.79:  dn = 0.1264,  dz = 0.79 * -0.6 * 0.1875 = -0.088875,
  //   dr = 0.1264 * 0.08 * 0.1875 = 0.001896,  dq = 0.0316.
  const StepOrder order(kLengths, 2, Direction::kForward);
  const std::array<float, 2> out_gradient = {0, 1};
  for_each_instruction_set([&] {
    std::array<float, 2> out = {};
    GruTrace trace = gru_forward(PackedGru(kWeights), order, kWords.data(), out.data(), 1);
    std::array<float, 2> words = {};
    std::array<float, 3> input = {}, recurrent = {}, input_bias = {}, recurrent_bias = {};
    gru_backward(
        kWeights, order, std::move(trace), out_gradient.data(), 1,
        {words.data(), input.data(), recurrent.data(), input_bias.data(), recurrent_bias.data()});
    EXPECT_THAT(words, is_near({0.1264F, 0.16F}));
    // With the words 0.6731472 and 0.6356472.
    EXPECT_THAT(input, is_near({0.00566225F, -0.11345869F, 0.1867894F}));
    EXPECT_THAT(recurrent, is_near({0.0069F * 0.15F, -0.084375F * 0.15F, 0.04F * 0.15F}));
    EXPECT_THAT(input_bias, is_near({0.008796F, -0.17325F, 0.2864F}));
    EXPECT_THAT(recurrent_bias, is_near({0.008796F, -0.17325F, 0.0716F}));
  });
}

}  // namespace
}  // namespace hmtc
