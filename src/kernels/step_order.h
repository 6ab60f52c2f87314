#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/buffer.h"

namespace hmtc {

/// The words of several documents in the order in which a recurrent network meets them: the first
/// words of all documents, longest document first, then the second words of those that have one,
/// and so on. Nothing is padded.
class StepOrder {
 public:
  enum class Direction { kForward, kBackward };

  /// Word n of document b is row b * words + n of the caller's matrices.
  StepOrder(std::span<const std::int64_t> lengths, std::size_t words, Direction direction);

  std::size_t num_steps() const { return step_begin_.size() - 1; }
  std::size_t num_rows() const { return word_row_.size(); }
  /// The rows of step t are [step_begin(t), step_begin(t + 1)), never more than those of step t
  /// - 1.
  std::size_t step_begin(std::size_t t) const { return step_begin_[t]; }
  std::size_t step_size(std::size_t t) const { return step_begin_[t + 1] - step_begin_[t]; }
  /// The caller's row for each row in the order of the steps.
  std::span<const std::size_t> word_rows() const { return word_row_; }

  /// The caller's rows, `width` wide, in the order of the steps.
  Buffer gather(const float* words, std::size_t width) const;
  /// Back to the caller's rows, which are `stride` apart; rows that no word has are not touched.
  void scatter(const float* rows, std::size_t width, float* words, std::size_t stride) const;
  /// The same, added to what is there.
  void scatter_add(const float* rows, std::size_t width, float* words) const;
  /// The caller's rows of step t, added to `rows`.
  void gather_add(std::size_t t, const float* words, std::size_t stride, std::size_t width,
                  float* rows) const;
  /// For every row from step 1 on the state that the step before left: rows of `states`.
  Buffer states_before(const float* states, std::size_t width) const;

 private:
  std::vector<std::size_t> step_begin_;
  std::vector<std::size_t> word_row_;
};

}  // namespace hmtc
