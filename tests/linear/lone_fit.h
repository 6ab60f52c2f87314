#pragma once

#include <cstdint>
#include <vector>

#include "linear/logistic_regression.h"

namespace hmtc {

/// What solve_logistic() finds for one problem alone.
struct LoneFit {
  LogisticFit fit;
  std::vector<double> weights;  ///< of the columns: Xᵀ times the row weights

  double bias() const { return fit.solution.bias; }
};

inline LoneFit fit_alone(const SparseMatrix& x, const std::vector<std::uint8_t>& positive,
                         const LogisticOptions& options, const LogisticWeights& start = {}) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < positive.size(); ++i) {
    if (positive[i] != 0) rows.push_back(i);
  }
  std::optional<LogisticProblem> problem = LogisticProblem{0, rows, start};
  LoneFit result;
  solve_logistic(
      training_matrix(x), options, 1, [&] { return std::exchange(problem, std::nullopt); },
      [&](std::size_t, LogisticFit fit) { result.fit = std::move(fit); });
  result.weights.resize(x.num_columns);
  for (std::size_t i = 0; i < x.num_rows(); ++i) {
    const SparseRow row = x.row(i);
    for (std::size_t k = 0; k < row.size(); ++k) {
      result.weights[static_cast<std::size_t>(row.columns[k])] +=
          result.fit.solution.row_weights[i] * row.values[k];
    }
  }
  return result;
}

}  // namespace hmtc
