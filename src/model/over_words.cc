#include "model/over_words.h"

#include <limits>

namespace hmtc {

torch::Tensor softmax_over_words(const torch::Tensor& logits, const torch::Tensor& lengths) {
  std::vector<std::int64_t> shape(static_cast<std::size_t>(logits.dim()), 1);
  shape.front() = logits.size(0);
  const torch::Tensor places = torch::arange(logits.size(-1), lengths.options());
  const torch::Tensor real = places < lengths.view(shape);  // (B, 1…, N)
  // The lowest finite number, not minus infinity: a row with nothing but padding must not be NaN.
  const torch::Tensor masked = logits.masked_fill(~real, std::numeric_limits<float>::lowest());
  return torch::softmax(masked, -1).masked_fill(~real, 0.0);
}

torch::Tensor mean_over_words(const torch::Tensor& I, const WordBatch& batch) {
  const torch::Tensor counts = batch.lengths.clamp_min(1).unsqueeze(1);       // (B, 1)
  const torch::Tensor weights = batch.mask.to(I.scalar_type()) / counts;      // (B, N)
  return torch::bmm(weights.unsqueeze(1).to(I.scalar_type()), I).squeeze(1);  // (B, w)
}

}  // namespace hmtc
