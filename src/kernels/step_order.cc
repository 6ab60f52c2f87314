#include "kernels/step_order.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "kernels/sums.h"

namespace hmtc {

StepOrder::StepOrder(std::span<const std::int64_t> lengths, std::size_t words,
                     Direction direction) {
  std::vector<std::size_t> documents(lengths.size());
  std::iota(documents.begin(), documents.end(), std::size_t{0});
  std::stable_sort(documents.begin(), documents.end(),
                   [&](std::size_t a, std::size_t b) { return lengths[a] > lengths[b]; });
  step_begin_.push_back(0);
  for (std::int64_t t = 0; !documents.empty() && t < lengths[documents.front()]; ++t) {
    for (const std::size_t document : documents) {
      const std::int64_t length = lengths[document];
      if (t >= length) break;
      const std::int64_t word = direction == Direction::kForward ? t : length - 1 - t;
      word_row_.push_back(document * words + static_cast<std::size_t>(word));
    }
    step_begin_.push_back(word_row_.size());
  }
}

Buffer StepOrder::gather(const float* words, std::size_t width) const {
  Buffer rows(num_rows() * width);
  for (std::size_t row = 0; row < num_rows(); ++row) {
    std::memcpy(rows.data() + row * width, words + word_row_[row] * width, width * sizeof(float));
  }
  return rows;
}

void StepOrder::scatter(const float* rows, std::size_t width, float* words,
                        std::size_t stride) const {
  for (std::size_t row = 0; row < num_rows(); ++row) {
    std::memcpy(words + word_row_[row] * stride, rows + row * width, width * sizeof(float));
  }
}

void StepOrder::scatter_add(const float* rows, std::size_t width, float* words) const {
  for (std::size_t row = 0; row < num_rows(); ++row) {
    add_to({rows + row * width, width}, words + word_row_[row] * width);
  }
}

void StepOrder::gather_add(std::size_t t, const float* words, std::size_t stride, std::size_t width,
                           float* rows) const {
  for (std::size_t b = 0; b < step_size(t); ++b) {
    add_to({words + word_row_[step_begin(t) + b] * stride, width}, rows + b * width);
  }
}

Buffer StepOrder::states_before(const float* states, std::size_t width) const {
  const std::size_t first = step_begin(1);
  Buffer before((num_rows() - first) * width);
  for (std::size_t t = 1; t < num_steps(); ++t) {
    std::memcpy(before.data() + (step_begin(t) - first) * width, states + step_begin(t - 1) * width,
                step_size(t) * width * sizeof(float));
  }
  return before;
}

}  // namespace hmtc
