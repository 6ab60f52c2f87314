#include "model/dense.h"

#include <algorithm>

#include "base/parallel.h"
#include "kernels/row_products.h"

namespace hmtc {
namespace {

constexpr std::int64_t kMostDocuments = 16;
/// A thread is worth waking for so many multiplications.
constexpr std::int64_t kWorthAThread = 200000;
/// Threads take right rows in blocks of four, as the kernel does, so that the cut changes no bit.
constexpr std::int64_t kBlock = 4;

bool kernel_applies(const torch::Tensor& x, const torch::Tensor& W) {
  return !torch::GradMode::is_enabled() && x.is_cpu() && x.scalar_type() == torch::kFloat32 &&
         x.size(0) <= kMostDocuments && W.stride(1) == 1;
}

RowMatrix rows_of(const torch::Tensor& matrix, std::int64_t begin, std::int64_t end) {
  return {matrix.data_ptr<float>() + begin * matrix.stride(0),
          static_cast<std::size_t>(end - begin), static_cast<std::size_t>(matrix.stride(0))};
}

}  // namespace

torch::Tensor dense(const torch::Tensor& x, const torch::Tensor& W, const torch::Tensor& b,
                    int threads) {
  if (!kernel_applies(x, W)) return torch::linear(x, W, b);
  const torch::Tensor left = x.contiguous();
  torch::Tensor out = torch::empty({x.size(0), W.size(0)});
  const std::int64_t parts = std::clamp<std::int64_t>(x.size(0) * W.numel() / kWorthAThread, 1,
                                                      std::max<std::int64_t>(threads, 1));
  const std::int64_t blocks = (W.size(0) + kBlock - 1) / kBlock;
  parallel_for(static_cast<std::size_t>(parts), threads, [&](std::size_t part) {
    const auto i = static_cast<std::int64_t>(part);
    const std::int64_t begin = i * blocks / parts * kBlock;
    const std::int64_t end = std::min((i + 1) * blocks / parts * kBlock, W.size(0));
    multiply_rows(rows_of(left, 0, left.size(0)), rows_of(W, begin, end),
                  static_cast<std::size_t>(W.size(1)), out.data_ptr<float>() + begin,
                  static_cast<std::size_t>(W.size(0)));
  });
  return b.defined() ? out.add_(b) : out;
}

}  // namespace hmtc
