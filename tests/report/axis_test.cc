#include "report/axis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hmtc {
namespace {

std::vector<std::string> tick_texts(const std::vector<double>& values) {
  const Axis axis = axis_over("", values);
  std::vector<std::string> texts;
  for (const double value : ticks(axis)) texts.push_back(tick_text(value, axis.step));
  return texts;
}

using testing::ElementsAre;

TEST(Axis, OfOneValueHasRoomOnBothSides) {
  EXPECT_THAT(tick_texts({0}), ElementsAre("-0.6", "-0.4", "-0.2", "0.0", "0.2", "0.4", "0.6"));
  // 0.5 ± 0.01
  EXPECT_THAT(tick_texts({0.5, 0.5}), ElementsAre("0.490", "0.495", "0.500", "0.505", "0.510"));
}

TEST(Axis, OfValuesThatDifferByRoundingIsThatOfOneValue) {
  EXPECT_EQ(tick_texts({0.3, 0.1 + 0.2}), tick_texts({0.3}));
}

TEST(Axis, EndsAtMultiplesOfAStepOfOneTwoOrFive) {
  EXPECT_THAT(tick_texts({0.71, 0.83}),
              ElementsAre("0.70", "0.72", "0.74", "0.76", "0.78", "0.80", "0.82", "0.84"));
  EXPECT_THAT(tick_texts({0, 30}), ElementsAre("0", "5", "10", "15", "20", "25", "30"));
  EXPECT_THAT(tick_texts({3, 0, 7.5}), ElementsAre("0", "1", "2", "3", "4", "5", "6", "7", "8"));
}

TEST(Axis, DoesNotGrowBeyondAnEndThatIsAMultipleAlready) {
  // 0.7 / 0.1 is 6.999… in binary.
  EXPECT_THAT(tick_texts({0.7, 0.3}),
              ElementsAre("0.30", "0.35", "0.40", "0.45", "0.50", "0.55", "0.60", "0.65", "0.70"));
}

}  // namespace
}  // namespace hmtc
