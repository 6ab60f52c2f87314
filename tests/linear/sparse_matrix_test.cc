#include "linear/sparse_matrix.h"

#include <gtest/gtest.h>

namespace hmtc {
namespace {

TEST(Transposed, OfNothingHasARowForEachColumn) {
  const SparseMatrix matrix = transposed(SparseMatrix{{0}, {}, {}, 2});
  EXPECT_EQ(matrix.num_rows(), 2U);
  EXPECT_EQ(matrix.num_columns, 0U);
}

TEST(Transposed, ColumnsBecomeRowsInOrder) {
  // | 0 1 2 |
  // | 0 0 0 |
  // | 3 0 4 |
  const SparseMatrix matrix = transposed(SparseMatrix{{0, 2, 2, 4}, {1, 2, 0, 2}, {1, 2, 3, 4}, 3});
  EXPECT_EQ(matrix.num_columns, 3U);
  EXPECT_EQ(matrix.offsets, (std::vector<std::size_t>{0, 1, 2, 4}));
  EXPECT_EQ(matrix.columns, (std::vector<std::int32_t>{2, 0, 0, 2}));
  EXPECT_EQ(matrix.values, (std::vector<float>{3, 1, 2, 4}));
}

}  // namespace
}  // namespace hmtc
