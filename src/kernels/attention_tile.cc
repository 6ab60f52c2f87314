#include "kernels/attention_tile.h"

namespace hmtc {

/// Multiplications of a training step (forward, recomputed, backward) for one document of average
/// length in both orders.
bool words_are_projected_first(const LabelAttentionOperands& operands) {
  const LabelAttentionShape& shape = operands.shape;
  double words = 0;
  for (const std::int64_t length : operands.lengths) words += static_cast<double>(length);
  words /= static_cast<double>(std::max<std::size_t>(shape.documents, 1));
  const auto labels = static_cast<double>(shape.labels);
  const auto w = static_cast<double>(shape.word_width);
  const auto d = static_cast<double>(shape.document_width);
  const double projected_first = 3 * words * w * d + 4 * labels * words * d;
  const double attended_first = 4 * labels * words * w + 4 * labels * w * d;
  return projected_first < attended_first;
}

}  // namespace hmtc
