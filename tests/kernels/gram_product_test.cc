#include "kernels/gram_product.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/instruction_sets.h"

namespace hmtc {
namespace {

/// Three rows, four columns; the second column is empty.
///   X = | 1 0 0 2 |        X X^T = | 5  3  4 |
///       | 3 0 0 0 |                | 3  9 12 |
///       | 4 0 5 0 |                | 4 12 41 |
struct ByColumns {
  std::vector<std::size_t> offsets = {0, 3, 3, 4, 5};
  std::vector<std::int32_t> places = {0, 1, 2, 2, 0};
  std::vector<float> values = {1, 3, 4, 5, 2};

  SparseLists view() const { return {offsets, places, values}; }
};

struct ByRows {
  std::vector<std::size_t> offsets = {0, 2, 3, 5};
  std::vector<std::int32_t> places = {0, 3, 0, 0, 2};
  std::vector<float> values = {1, 2, 3, 4, 5};

  SparseLists view() const { return {offsets, places, values}; }
};

/// Lane 0: (1, 0, 0); lane 5: (2, 2, 2); lane 7: (0, -1, 0.5).
std::vector<LaneRow> three_rows() {
  std::vector<LaneRow> in(3);
  in[0].lane[0] = 1;
  in[0].lane[5] = in[1].lane[5] = in[2].lane[5] = 2;
  in[1].lane[7] = -1;
  in[2].lane[7] = 0.5;
  return in;
}

std::vector<double> lane_of(const std::vector<LaneRow>& rows, std::size_t lane) {
  return {rows[0].lane[lane], rows[1].lane[lane], rows[2].lane[lane]};
}

void expect_product(const std::vector<LaneRow>& out) {
  EXPECT_EQ(lane_of(out, 0), (std::vector<double>{105, 3, 4}));  // 100 was there
  EXPECT_EQ(lane_of(out, 5), (std::vector<double>{24, 48, 114}));
  EXPECT_EQ(lane_of(out, 7), (std::vector<double>{-1, -3, 8.5}));
  for (const std::size_t idle : {1, 2, 3, 4, 6}) {
    EXPECT_EQ(lane_of(out, idle), std::vector<double>(3, 0));
  }
}

TEST(GramProduct, OfNoColumnsAddsNothing) {
  const std::vector<LaneRow> in = three_rows();
  std::vector<LaneRow> out(3);
  out[1].lane[7] = 3;
  add_gram_product_by_columns(ByColumns().view(), {}, in.data(), out.data());
  const std::vector<std::size_t> no_entries(4, 0);
  add_gram_product_by_rows({no_entries, {}, {}}, in.data(), out.data(), 0, nullptr);
  EXPECT_EQ(lane_of(out, 0), std::vector<double>(3, 0));
  EXPECT_EQ(lane_of(out, 7), (std::vector<double>{0, 3, 0}));
}

TEST(GramProduct, ByColumnsIsAddedForEachLaneByItself) {
  for_each_instruction_set([] {
    const std::vector<LaneRow> in = three_rows();
    std::vector<LaneRow> out(3);
    out[0].lane[0] = 100;
    const std::vector<std::int32_t> all = {0, 1, 2, 3};
    add_gram_product_by_columns(ByColumns().view(), all, in.data(), out.data());
    expect_product(out);
  });
}

TEST(GramProduct, ByColumnsTakesThoseThatAreNamed) {
  // Without the last column, whose entry is 2 in the first row, that row's square is 1.
  const std::vector<LaneRow> in = three_rows();
  std::vector<LaneRow> out(3);
  add_gram_product_by_columns(ByColumns().view(), std::vector<std::int32_t>{2, 0}, in.data(),
                              out.data());
  EXPECT_EQ(lane_of(out, 0), (std::vector<double>{1, 3, 4}));
}

TEST(GramProduct, ByRowsIsTheSame) {
  for_each_instruction_set([] {
    const std::vector<LaneRow> in = three_rows();
    std::vector<LaneRow> out(3), scratch(4);
    for (LaneRow& row : scratch) row.lane[0] = 7;  // what was left there does not count
    out[0].lane[0] = 100;
    add_gram_product_by_rows(ByRows().view(), in.data(), out.data(), 4, scratch.data());
    expect_product(out);
  });
}

}  // namespace
}  // namespace hmtc
