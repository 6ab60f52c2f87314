#include "model/dense.h"

#include <algorithm>

#include "base/parallel.h"
#include "kernels/buffer.h"
#include "kernels/packed_matrix.h"
#include "kernels/row_products.h"

namespace hmtc {
namespace {

/// More documents than these go through the product kernel, in which they are the columns.
constexpr std::int64_t kFewDocuments = 4;
/// A thread is worth waking for so many multiplications.
constexpr std::int64_t kWorthAThread = 200000;
/// Threads take rows of W in blocks of four, as `multiply_rows` does, so that the cut changes no
/// bit.
constexpr std::int64_t kBlock = 4;

bool kernel_applies(const torch::Tensor& x, const torch::Tensor& W) {
  return !torch::GradMode::is_enabled() && x.is_cpu() && x.scalar_type() == torch::kFloat32 &&
         x.size(0) > 0 && W.stride(1) == 1;
}

RowMatrix rows_of(const torch::Tensor& matrix, std::int64_t begin, std::int64_t end) {
  return {matrix.data_ptr<float>() + begin * matrix.stride(0),
          static_cast<std::size_t>(end - begin), static_cast<std::size_t>(matrix.stride(0))};
}

/// Shares the rows of W out: part(begin, end).
template <typename Part>
void for_parts_of_rows(const torch::Tensor& x, const torch::Tensor& W, int threads,
                       const Part& part) {
  const std::int64_t parts = std::clamp<std::int64_t>(x.size(0) * W.numel() / kWorthAThread, 1,
                                                      std::max<std::int64_t>(threads, 1));
  const std::int64_t blocks = (W.size(0) + kBlock - 1) / kBlock;
  parallel_for(static_cast<std::size_t>(parts), threads, [&](std::size_t number) {
    const auto i = static_cast<std::int64_t>(number);
    part(i * blocks / parts * kBlock, std::min((i + 1) * blocks / parts * kBlock, W.size(0)));
  });
}

/// (W x^T)^T: W is read where it lies, each of its elements once for sixteen documents or more.
void multiply_documents(const torch::Tensor& x, const torch::Tensor& W, torch::Tensor& out,
                        int threads) {
  const auto documents = static_cast<std::size_t>(x.size(0));
  const auto depth = static_cast<std::size_t>(x.size(1));
  const std::size_t columns = whole_vectors(documents);
  const PackedMatrix right =
      PackedMatrix::of_transpose(x.data_ptr<float>(), depth, depth, documents);
  for_parts_of_rows(x, W, threads, [&](std::int64_t begin, std::int64_t end) {
    const RowMatrix rows = rows_of(W, begin, end);
    Buffer transposed(rows.rows * columns);
    multiply({rows.rows, columns, depth}, {rows.data, rows.stride}, right.factor(),
             transposed.data(), columns, Into::kSet);
    transpose(transposed.data(), columns, rows.rows, documents, out.data_ptr<float>() + begin,
              static_cast<std::size_t>(W.size(0)));
  });
}

}  // namespace

torch::Tensor dense(const torch::Tensor& x, const torch::Tensor& W, const torch::Tensor& b,
                    int threads) {
  if (!kernel_applies(x, W)) return torch::linear(x, W, b);
  const torch::Tensor left = x.contiguous();
  torch::Tensor out = torch::empty({x.size(0), W.size(0)});
  if (x.size(0) > kFewDocuments) {
    multiply_documents(left, W, out, threads);
  } else {
    for_parts_of_rows(x, W, threads, [&](std::int64_t begin, std::int64_t end) {
      multiply_rows(rows_of(left, 0, left.size(0)), rows_of(W, begin, end),
                    static_cast<std::size_t>(W.size(1)), out.data_ptr<float>() + begin,
                    static_cast<std::size_t>(W.size(0)));
    });
  }
  return b.defined() ? out.add_(b) : out;
}

}  // namespace hmtc
