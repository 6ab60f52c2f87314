#pragma once

#include <functional>
#include <vector>

#include "linear/one_vs_rest.h"
#include "linear/tf_idf.h"
#include "train/train.h"
#include "train/training_data.h"

namespace hmtc {

/// A linear model fitted to the training documents, with what it says of the validation documents.
struct LinearPart {
  TfIdf tf_idf;
  LinearModel model;
  std::vector<float> validation_scores;  ///< (documents, labels), the hierarchy not regarded
};

/// Tries the strengths of the configuration, until all were tried or `is_enough` says so, and keeps
/// the one that validates best.
LinearPart fit_linear_part(const TrainingData& data, TrainObserver& observer,
                           std::function<bool()> is_enough = {});

/// With one strength; no validation.
LinearPart fit_linear_part(const TrainingData& data, double strength);

}  // namespace hmtc
