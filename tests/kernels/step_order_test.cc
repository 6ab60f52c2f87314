#include "kernels/step_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hmtc {
namespace {

using testing::ElementsAre;
using Direction = StepOrder::Direction;

std::vector<std::size_t> rows_of(const StepOrder& order) {
  return {order.word_rows().begin(), order.word_rows().end()};
}

TEST(StepOrder, NoDocumentOrNoWordIsNoStep) {
  EXPECT_EQ(StepOrder({}, 3, Direction::kForward).num_steps(), 0U);
  const std::vector<std::int64_t> lengths = {0, 0};
  EXPECT_EQ(StepOrder(lengths, 3, Direction::kForward).num_rows(), 0U);
}

TEST(StepOrder, LongerDocumentsComeFirstAndNothingIsPadded) {
  // Three documents side by side in four columns: rows 0-3, 4-7, 8-11.
  const std::vector<std::int64_t> lengths = {1, 3, 2};
  const StepOrder forward(lengths, 4, Direction::kForward);
  EXPECT_EQ(forward.num_steps(), 3U);
  EXPECT_THAT(rows_of(forward), ElementsAre(4, 8, 0, 5, 9, 6));
  EXPECT_EQ(forward.step_begin(1), 3U);
  EXPECT_EQ(forward.step_size(1), 2U);
  EXPECT_EQ(forward.step_size(2), 1U);
}

TEST(StepOrder, BackwardStartsAtEachDocumentsOwnLastWord) {
  const std::vector<std::int64_t> lengths = {1, 3, 2};
  EXPECT_THAT(rows_of(StepOrder(lengths, 4, Direction::kBackward)), ElementsAre(6, 9, 0, 5, 8, 4));
}

}  // namespace
}  // namespace hmtc
