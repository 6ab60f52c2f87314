#include "train/linear_run.h"

#include "artifact/linear_tensors.h"
#include "train/finished_model.h"
#include "train/linear_part.h"

namespace hmtc {

TrainResult train_linear(const TrainRequest& request, const TrainingData& data) {
  LinearPart part = fit_linear_part(data, *request.observer);
  ScoreSet scores{data.validation.size(),
                  data.hierarchy.num_labels(),
                  std::move(part.validation_scores),
                  {},
                  {},
                  {}};
  TensorFile tensors;
  store_linear(part.model, part.tf_idf, tensors);
  write_finished_model(request.out, data, std::move(scores), std::move(tensors));
  return {TrainOutcome::kFinished, part.best_score};
}

}  // namespace hmtc
