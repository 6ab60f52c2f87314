#include "train/finished_model.h"

#include "artifact/fusion_tensors.h"
#include "artifact/linear_tensors.h"
#include "artifact/model_directory.h"
#include "data/truth.h"
#include "fusion/fused_scores.h"
#include "metrics/precision_recall.h"
#include "train/linear_part.h"
#include "train/tune_thresholds.h"

namespace hmtc {
namespace {

Fusion fusion_by_validation(const TrainingData& data, const ScoreSet& scores,
                            std::span<const float> start) {
  const HierarchyArrays arrays(data.hierarchy);
  std::vector<float> frequencies;
  if (data.config.fusion.by_frequency)
    frequencies = label_frequencies(truth_of(data.train), arrays.level_begin);
  return fit_fusion(classifiers_of(scores), truth_of(data.validation), arrays.level_begin, start,
                    frequencies);
}

}  // namespace

std::vector<float> add_linear_part(FinishedModel& model, TrainObserver& observer,
                                   std::function<bool()> is_enough) {
  LinearPart part = fit_linear_part(model.data, observer, is_enough);
  std::vector<float> validation_scores = std::move(part.validation_scores);
  if (is_enough && is_enough()) model.all_documents = nullptr;
  if (model.all_documents) part = fit_linear_part(*model.all_documents, part.model.strength);
  store_linear(part.model, part.tf_idf, model.tensors);
  return validation_scores;
}

void add_fusion(FinishedModel& model, TrainObserver& observer) {
  const TrainingData& data = model.data;
  ScoreSet& validation_scores = model.validation_scores;
  const FusionOptions& options = data.config.fusion;
  if (options.wide) validation_scores.wide = add_linear_part(model, observer);
  if (!options.wide && !options.calibrate) return;
  const std::vector<float> even = even_weights(validation_scores);
  const Fusion fusion = options.calibrate ? fusion_by_validation(data, validation_scores, even)
                                          : same_for_each_label(even, data.hierarchy.num_labels());
  store_fusion(fusion, model.tensors);
  fuse(fusion, validation_scores);
}

double write_finished_model(const std::filesystem::path& directory, FinishedModel model) {
  const TrainingData& data = model.data;
  ScoreSet& scores = model.validation_scores;
  make_coherent(data.hierarchy, scores.combined);
  store_thresholds(tune_thresholds(scores, truth_of(data.validation)), model.tensors);
  const double score =
      micro_average_precision(matrix_of(scores.combined, scores), truth_of(data.validation));
  save_model(directory, {data.config, data.hierarchy, model.learnt_from().vocabulary,
                         std::move(model.tensors)});
  return score;
}

}  // namespace hmtc
