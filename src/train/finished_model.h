#pragma once

#include <filesystem>
#include <vector>

#include "artifact/safetensors.h"
#include "data/score_set.h"
#include "train/training_data.h"

namespace hmtc {

/// A model that has learnt, on its way to its directory. Validation chooses for it by the scores of
/// a model that has not seen the validation documents; after a refit the written one has.
struct FinishedModel {
  const TrainingData& data;
  const TrainingData* all_documents;  ///< what a refit learnt from; null without one
  ScoreSet validation_scores;
  TensorFile tensors;  ///< to be written

  const TrainingData& learnt_from() const { return all_documents ? *all_documents : data; }
};

/// Fits a linear model, whose strength validation chooses, and adds its tensors. Returns what it
/// says of the validation documents, (documents, labels). `is_enough` as fit_linear_part() has it;
/// then there is no refit either.
std::vector<float> add_linear_part(FinishedModel& model, TrainObserver& observer,
                                   std::function<bool()> is_enough = {});

/// Adds to a network's tensors and scores what the configuration wants over it: the linear model
/// beside it, and the weights of the classifiers.
void add_fusion(FinishedModel& model, TrainObserver& observer);

/// Tunes the thresholds on the validation scores and writes the model directory. Returns the micro
/// AU(PRC) of the combined, coherent scores.
double write_finished_model(const std::filesystem::path& directory, FinishedModel model);

}  // namespace hmtc
