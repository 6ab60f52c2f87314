#pragma once

#include <cstddef>
#include <vector>

#include "base/parallel.h"
#include "kernels/gru.h"
#include "kernels/lstm.h"
#include "kernels/step_order.h"
#include "network/weights.h"

namespace hmtc {

/// Sequences of vectors of different lengths, padded to `places`: vector n of sequence s is row
/// s * places + n.
struct Sequences {
  const float* vectors;
  std::span<const std::int64_t> lengths;
  std::size_t places;
};

/// A bidirectional recurrent network: each direction starts at a sequence's own first or last
/// vector. `Packed` is what the kernels read of a direction, PackedLstm or PackedGru.
template <typename Packed>
class BiRecurrentLayer {
 public:
  /// The tensors have the names of torch::nn::LSTM and torch::nn::GRU.
  BiRecurrentLayer(const Weights& weights, std::size_t input_width, std::size_t width) {
    for (const char* end : {"_l0", "_l0_reverse"}) {
      directions_.push_back(pack(weights, input_width, width, end));
    }
  }

  std::size_t out_width() const { return directions_.size() * directions_.front().width; }

  /// Writes the vectors (·, out_width()) into rows that are `stride` apart, but not where padding
  /// is. Each direction has a thread of its own when there are two.
  void run(const Sequences& sequences, int threads, float* out, std::size_t stride) const {
    parallel_for(directions_.size(), threads, [&](std::size_t direction) {
      const StepOrder order(
          sequences.lengths, sequences.places,
          direction == 0 ? StepOrder::Direction::kForward : StepOrder::Direction::kBackward);
      const Packed& weights = directions_[direction];
      forward(weights, order, sequences.vectors, out + direction * weights.width, stride);
    });
  }

 private:
  static Packed pack(const Weights& weights, std::size_t input_width, std::size_t width,
                     const std::string& end);
  static void forward(const Packed& weights, const StepOrder& order, const float* vectors,
                      float* out, std::size_t stride);

  std::vector<Packed> directions_;
};

using BiLstmLayer = BiRecurrentLayer<PackedLstm>;
using BiGruLayer = BiRecurrentLayer<PackedGru>;

}  // namespace hmtc
