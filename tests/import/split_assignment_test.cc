#include "import/split_assignment.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace hmtc {
namespace {

std::size_t count(const std::vector<SplitOfRow>& splits, Split split) {
  std::size_t total = 0;
  for (const SplitOfRow& rows : splits) {
    total += static_cast<std::size_t>(std::count(rows.begin(), rows.end(), split));
  }
  return total;
}

TEST(AssignPooled, RoundsValAndTestAndLeavesTheRestToTrain) {
  const auto enron = assign_pooled({988, 660}, {60, 20, 20}, 0);
  EXPECT_EQ(enron[0].size(), 988U);
  EXPECT_EQ(enron[1].size(), 660U);
  EXPECT_EQ(count(enron, Split::kTrain), 988U);
  EXPECT_EQ(count(enron, Split::kVal), 330U);  // 329.6
  EXPECT_EQ(count(enron, Split::kTest), 330U);
  const auto reuters = assign_pooled({3000, 3000}, {60, 20, 20}, 0);
  EXPECT_EQ(count(reuters, Split::kTrain), 3600U);
  EXPECT_EQ(count(reuters, Split::kVal), 1200U);
}

TEST(AssignPooled, MixesTheInputs) {
  const auto splits = assign_pooled({100, 100}, {60, 20, 20}, 3);
  for (const SplitOfRow& rows : splits) {
    for (const Split split : {Split::kTrain, Split::kVal, Split::kTest}) {
      EXPECT_NE(std::count(rows.begin(), rows.end(), split), 0);
    }
  }
}

TEST(AssignPooled, DependsOnTheSeedOnly) {
  EXPECT_EQ(assign_pooled({40}, {50, 25, 25}, 1), assign_pooled({40}, {50, 25, 25}, 1));
  EXPECT_NE(assign_pooled({40}, {50, 25, 25}, 1), assign_pooled({40}, {50, 25, 25}, 2));
}

TEST(AssignByInput, LeavesThreeInputsAsTheyAre) {
  const auto splits = assign_by_input({2, 1, 1}, 5);
  EXPECT_EQ(splits[0], SplitOfRow(2, Split::kTrain));
  EXPECT_EQ(splits[1], SplitOfRow(1, Split::kVal));
  EXPECT_EQ(splits[2], SplitOfRow(1, Split::kTest));
}

TEST(AssignByInput, NeverTakesValFromTest) {
  const auto splits = assign_by_input({988, 660}, 0);
  EXPECT_EQ(count({splits[0]}, Split::kVal), 148U);  // 148.2
  EXPECT_EQ(splits[1], SplitOfRow(660, Split::kTest));
}

}  // namespace
}  // namespace hmtc
