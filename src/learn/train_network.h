#pragma once

#include "train/checkpoint.h"
#include "train/run_folder.h"
#include "train/train.h"
#include "train/training_data.h"

namespace hmtc {

/// Trains a network from its first step, or from a checkpoint, and writes the model: what
/// TrainRequest::train_network is set to by the program that can.
TrainResult train_network(const TrainRequest& request, TrainingData data, const RunFolder& folder,
                          std::optional<Checkpoint> checkpoint);

}  // namespace hmtc
