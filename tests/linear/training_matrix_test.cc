#include "linear/training_matrix.h"

#include <gtest/gtest.h>

namespace hmtc {
namespace {

TEST(TrainingMatrix, OfNothingIsEmpty) {
  const TrainingMatrix matrix = training_matrix({});
  EXPECT_EQ(matrix.num_rows(), 0U);
  EXPECT_EQ(matrix.frequent.num_columns, 0U);
  EXPECT_TRUE(matrix.rare.empty());
}

TEST(TrainingMatrix, ColumnsWithFewEntriesAreRare) {
  const TrainingMatrix matrix = training_matrix({{0, 2, 3}, {0, 2, 2}, {1, 2, 3}, 4});
  EXPECT_EQ(matrix.num_rows(), 2U);
  EXPECT_EQ(matrix.rare, (std::vector<std::int32_t>{0, 1, 2, 3}));
  EXPECT_EQ(matrix.frequent.num_rows(), 2U);
  EXPECT_TRUE(matrix.frequent.columns.empty());
  EXPECT_EQ(matrix.columns.offsets, (std::vector<std::size_t>{0, 1, 1, 3, 3}));
}

TEST(TrainingMatrix, FrequentColumnsAreNumberedAnewTheMostFrequentFirst) {
  // 40 rows. Column 0 in row 7 alone, column 1 in the first 35 rows, column 2 in all.
  SparseMatrix x;
  x.num_columns = 3;
  for (int i = 0; i < 40; ++i) {
    if (i == 7) x.columns.push_back(0);
    if (i < 35) x.columns.push_back(1);
    x.columns.push_back(2);
    while (x.values.size() < x.columns.size()) {
      x.values.push_back(static_cast<float>(x.columns[x.values.size()]) + 0.5F);
    }
    x.offsets.push_back(x.columns.size());
  }
  const TrainingMatrix matrix = training_matrix(x);
  EXPECT_EQ(matrix.rare, (std::vector<std::int32_t>{0}));
  EXPECT_EQ(matrix.frequent.num_columns, 2U);
  const SparseRow seventh = matrix.frequent.row(7);  // column 1, then 2, by their new numbers
  EXPECT_EQ(std::vector<std::int32_t>(seventh.columns.begin(), seventh.columns.end()),
            (std::vector<std::int32_t>{1, 0}));
  EXPECT_EQ(std::vector<float>(seventh.values.begin(), seventh.values.end()),
            (std::vector<float>{1.5F, 2.5F}));
  EXPECT_EQ(matrix.frequent.row(39).size(), 1U);
}

}  // namespace
}  // namespace hmtc
