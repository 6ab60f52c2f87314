#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace hmtc {

/// One number of each of eight problems that are solved side by side: a line of the cache.
inline constexpr std::size_t kNumLanes = 8;
struct alignas(64) LaneRow {
  double lane[kNumLanes] = {};
};

/// Lists of entries one after the other: list j is offsets[j] … offsets[j + 1] - 1. With the rows
/// of a sparse matrix as lists, the places are columns; with its columns, they are rows.
struct SparseLists {
  std::span<const std::size_t> offsets;  ///< one more than there are lists
  std::span<const std::int32_t> places;
  std::span<const float> values;
};

// out += X Xᵀ in, for every lane by itself; `in` and `out` have a LaneRow for each row of X. X Xᵀ
// is never formed. Both ways give the same but for rounding.

/// For the columns `which` of X, given by its columns. For each, xᵀ in is multiplied back at once,
/// so that nothing as long as the columns are many is written or read: for many rare columns.
void add_gram_product_by_columns(const SparseLists& columns, std::span<const std::int32_t> which,
                                 const LaneRow* in, LaneRow* out);

/// For X given by its rows. Xᵀ in goes to `scratch`, a LaneRow for each of the `num_columns`
/// columns: for frequent columns, few enough to stay in the cache.
void add_gram_product_by_rows(const SparseLists& rows, const LaneRow* in, LaneRow* out,
                              std::size_t num_columns, LaneRow* scratch);

}  // namespace hmtc
