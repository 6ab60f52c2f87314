#pragma once

#include <filesystem>

#include "artifact/safetensors.h"
#include "data/score_set.h"
#include "train/training_data.h"

namespace hmtc {

/// Adds to a network's tensors and its scores of the validation documents what the configuration
/// wants over it: the linear model beside it, and the weights of the classifiers.
void add_fusion(const TrainingData& data, TrainObserver& observer, ScoreSet& validation_scores,
                TensorFile& tensors);

/// Tunes the thresholds on the scores of the validation documents and writes the model directory.
void write_finished_model(const std::filesystem::path& directory, const TrainingData& data,
                          ScoreSet validation_scores, TensorFile tensors);

}  // namespace hmtc
