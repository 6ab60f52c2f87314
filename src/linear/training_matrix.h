#pragma once

#include <cstdint>
#include <vector>

#include "linear/sparse_matrix.h"

namespace hmtc {

/// The rows of training documents as logistic regressions multiply by them.
struct TrainingMatrix {
  SparseMatrix columns;            ///< all columns, each as a row
  std::vector<std::int32_t> rare;  ///< those that are multiplied one by one
  SparseMatrix frequent;           ///< the rows, with the other columns alone, numbered anew

  std::size_t num_rows() const { return columns.num_columns; }
};

TrainingMatrix training_matrix(const SparseMatrix& x);

}  // namespace hmtc
