#include "learn/train_network.h"

#include <torch/torch.h>

#include "learn/neural_run.h"

namespace hmtc {

TrainResult train_network(const TrainRequest& request, TrainingData data, const RunFolder& folder,
                          std::optional<Checkpoint> checkpoint) {
  // Several batches run beside each other instead: threads inside of an operation wait for each
  // other in loops, which on a busy machine cost a factor of ten and more, and most operations here
  // are too small to share. The BLAS is told by its environment (train/trainer_program.h).
  torch::set_num_threads(1);
  return NeuralRun(request, std::move(data), folder, std::move(checkpoint)).run();
}

}  // namespace hmtc
