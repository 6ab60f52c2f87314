#pragma once

#include "model/model.h"
#include "train/train.h"
#include "train/training_data.h"

namespace hmtc {

/// Gives a new model what it starts from beside random numbers and word vectors, as the settings
/// say: the rarity of words, the names of labels.
void start_from_training_data(Model& model, const TrainingData& data, TrainObserver& observer);

}  // namespace hmtc
