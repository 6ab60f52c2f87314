#include "linear/training_matrix.h"

#include <algorithm>
#include <numeric>

namespace hmtc {
namespace {

/// As many lines of the cache as the second level has room for beside the rest, and columns with so
/// few entries that they are better off with the rare ones. Measured on abstracts, with and without
/// pairs of words: half as many or twice as many frequent columns were slower.
constexpr std::size_t kMostFrequent = 2048;
constexpr std::size_t kFewestEntries = 32;

/// The number of each frequent column, -1 for the others; and how many there are.
std::int32_t number_frequent(const SparseMatrix& columns, std::vector<std::int32_t>& numbers) {
  std::vector<std::size_t> order(columns.num_rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return columns.row(a).size() > columns.row(b).size();
  });
  numbers.assign(columns.num_rows(), -1);
  std::int32_t count = 0;
  for (std::size_t i = 0; i < std::min(order.size(), kMostFrequent); ++i) {
    if (columns.row(order[i]).size() >= kFewestEntries) numbers[order[i]] = count++;
  }
  return count;
}

}  // namespace

TrainingMatrix training_matrix(const SparseMatrix& x) {
  TrainingMatrix matrix;
  matrix.columns = transposed(x);
  std::vector<std::int32_t> numbers;
  matrix.frequent.num_columns = static_cast<std::size_t>(number_frequent(matrix.columns, numbers));
  for (std::size_t column = 0; column < numbers.size(); ++column) {
    if (numbers[column] < 0) matrix.rare.push_back(static_cast<std::int32_t>(column));
  }
  for (std::size_t i = 0; i < x.num_rows(); ++i) {
    const SparseRow row = x.row(i);
    for (std::size_t k = 0; k < row.size(); ++k) {
      const std::int32_t number = numbers[static_cast<std::size_t>(row.columns[k])];
      if (number < 0) continue;
      matrix.frequent.columns.push_back(number);
      matrix.frequent.values.push_back(row.values[k]);
    }
    matrix.frequent.offsets.push_back(matrix.frequent.columns.size());
  }
  return matrix;
}

}  // namespace hmtc
