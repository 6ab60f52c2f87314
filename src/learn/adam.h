#pragma once

#include <torch/torch.h>

#include <string>
#include <vector>

#include "artifact/safetensors.h"
#include "kernels/adam_update.h"
#include "learn/pieces.h"

namespace hmtc {

/// Adam over the parameters of a model, with the gradient's norm clipped over all of them together.
/// A sparse gradient (the embedding's) touches the rows of the words in the batch only: the other
/// rows keep their values and moments, so a step's cost does not grow with the vocabulary. The
/// steps of a parameter are counted from its first gradient on: one that was frozen begins as
/// gently as the others did.
class Adam {
 public:
  /// The same bits on any number of threads.
  explicit Adam(const torch::nn::Module& model, int threads = 1);

  /// One step along the gradients, which are cleared. Returns their norm before clipping; when it
  /// is not finite nothing has been changed. Weight decay is for matrices and larger tensors:
  /// vectors are biases and gains, and a table of rows with a sparse gradient stays as it is apart
  /// from its step. What has no gradient does not decay either.
  double step(double learning_rate, double clip_norm, double weight_decay = 0);

  /// Moments and step counts, for checkpoints.
  void store(TensorFile& file) const;
  void load(const TensorFile& file, const std::string& file_name);

 private:
  struct Slot {
    std::string name;
    torch::Tensor parameter;
    torch::Tensor first_moment;
    torch::Tensor second_moment;
    std::int64_t num_steps = 0;
  };

  struct Gradient;
  static constexpr std::size_t kNoPlace = static_cast<std::size_t>(-1);

  std::vector<Gradient> take_gradients();
  Gradient merge_rows(const torch::Tensor& gradient);
  static std::vector<Piece> pieces_of(const std::vector<Gradient>& gradients);
  double norm_of(const std::vector<Gradient>& gradients, const std::vector<Piece>& pieces) const;

  int threads_;
  std::vector<Slot> slots_;
  std::vector<std::size_t> place_of_row_;  // scratch of merge_rows(): all kNoPlace between calls
};

}  // namespace hmtc
