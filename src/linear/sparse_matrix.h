#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hmtc {

/// Lists of ids, one per document, as views into two arrays that the caller keeps alive: the words
/// of every document, or its labels. List i is ids[offsets[i]] … ids[offsets[i + 1] - 1].
struct IdRows {
  std::span<const std::size_t> offsets;  ///< one more than there are rows; empty: no rows
  std::span<const std::int32_t> ids;

  std::size_t num_rows() const { return offsets.empty() ? 0 : offsets.size() - 1; }
  std::span<const std::int32_t> row(std::size_t i) const {
    return ids.subspan(offsets[i], offsets[i + 1] - offsets[i]);
  }
};

/// The entries of one row; both spans have the same length.
struct SparseRow {
  std::span<const std::int32_t> columns;
  std::span<const float> values;

  std::size_t size() const { return columns.size(); }
};

/// A matrix by compressed rows. Columns ascend within a row, each at most once.
struct SparseMatrix {
  std::vector<std::size_t> offsets = {0};
  std::vector<std::int32_t> columns;
  std::vector<float> values;
  std::size_t num_columns = 0;

  std::size_t num_rows() const { return offsets.size() - 1; }
  SparseRow row(std::size_t i) const {
    const std::size_t size = offsets[i + 1] - offsets[i];
    return {{columns.data() + offsets[i], size}, {values.data() + offsets[i], size}};
  }
};

/// Its columns as rows.
SparseMatrix transposed(const SparseMatrix& matrix);

}  // namespace hmtc
