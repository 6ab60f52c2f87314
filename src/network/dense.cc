#include "network/dense.h"

#include <algorithm>

#include "base/parallel.h"

namespace hmtc {
namespace {

/// More documents than these go through the product kernel, in which they are the columns.
constexpr std::size_t kFewDocuments = 4;
/// A thread is worth waking for so many multiplications.
constexpr std::size_t kWorthAThread = 200000;
/// Threads take rows of W in blocks of four, as `multiply_rows` does, so that the cut changes no
/// bit.
constexpr std::size_t kBlock = 4;

RowMatrix rows_of(const Matrix& matrix, std::size_t begin, std::size_t end) {
  return {matrix.data() + begin * matrix.columns(), end - begin, matrix.columns()};
}

/// Shares the rows of W out: part(begin, end).
template <typename Part>
void for_parts_of_rows(const Matrix& x, const Matrix& W, int threads, const Part& part) {
  const std::size_t parts = std::clamp<std::size_t>(x.rows() * W.size() / kWorthAThread, 1,
                                                    static_cast<std::size_t>(std::max(threads, 1)));
  const std::size_t blocks = (W.rows() + kBlock - 1) / kBlock;
  parallel_for(parts, threads, [&](std::size_t i) {
    part(i * blocks / parts * kBlock, std::min((i + 1) * blocks / parts * kBlock, W.rows()));
  });
}

/// (W x^T)^T: each element of W is read once for sixteen documents or more.
void multiply_documents(const Matrix& x, const Matrix& W, Matrix& out, int threads) {
  const std::size_t documents = x.rows();
  const std::size_t depth = x.columns();
  const std::size_t columns = whole_vectors(documents);
  const PackedMatrix right = packed_transpose(x);
  for_parts_of_rows(x, W, threads, [&](std::size_t begin, std::size_t end) {
    const RowMatrix rows = rows_of(W, begin, end);
    Buffer transposed(rows.rows * columns);
    multiply({rows.rows, columns, depth}, {rows.data, rows.stride}, right.factor(),
             transposed.data(), columns, Into::kSet);
    transpose(transposed.data(), columns, rows.rows, documents, out.data() + begin, W.rows());
  });
}

}  // namespace

Dense::Dense(const Weights& weights, std::size_t in, std::size_t out, Bias bias)
    : W_(weights.matrix("weight", out, in)) {
  if (bias == Bias::kOwn) b_ = weights.vector("bias", out);
}

Matrix Dense::operator()(const Matrix& x, int threads) const {
  Matrix out(x.rows(), W_.rows());
  if (x.rows() > kFewDocuments) {
    multiply_documents(x, W_, out, threads);
  } else {
    for_parts_of_rows(x, W_, threads, [&](std::size_t begin, std::size_t end) {
      multiply_rows(rows_of(x, 0, x.rows()), rows_of(W_, begin, end), W_.columns(),
                    out.data() + begin, W_.rows());
    });
  }
  for (std::size_t i = 0; !b_.empty() && i < out.rows(); ++i) add_scaled(b_, 1, out.row(i));
  return out;
}

}  // namespace hmtc
