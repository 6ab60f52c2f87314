#pragma once

#include "train/train.h"
#include "train/training_data.h"

namespace hmtc {

/// Trains the linear model, choosing its strength on validation, and writes it.
TrainResult train_linear(const TrainRequest& request, const TrainingData& data);

}  // namespace hmtc
