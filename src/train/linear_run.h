#pragma once

#include "train/train.h"
#include "train/training_data.h"

namespace hmtc {

struct LinearRun {
  TrainResult result;
  bool is_whole = false;  ///< nobody has asked it to end before its end
};

/// Trains the linear model, choosing its strength on validation, and writes it unless it is
/// interrupted.
LinearRun train_linear(const TrainRequest& request, const TrainingData& data);

}  // namespace hmtc
