#include "train/finished_model.h"

#include "artifact/fusion_tensors.h"
#include "artifact/linear_tensors.h"
#include "artifact/model_directory.h"
#include "data/truth.h"
#include "fusion/fused_scores.h"
#include "train/linear_part.h"
#include "train/tune_thresholds.h"

namespace hmtc {

void add_fusion(const TrainingData& data, TrainObserver& observer, ScoreSet& validation_scores,
                TensorFile& tensors) {
  const FusionOptions& options = data.config.fusion;
  if (options.wide) {
    LinearPart part = fit_linear_part(data, observer);
    store_linear(part.model, part.tf_idf, tensors);
    validation_scores.wide = std::move(part.validation_scores);
  }
  if (!options.wide && !options.calibrate) return;
  const HierarchyArrays arrays(data.hierarchy);
  const std::vector<float> even = even_weights(validation_scores);
  const Fusion fusion = options.calibrate
                            ? fit_fusion(classifiers_of(validation_scores),
                                         truth_of(data.validation), arrays.level_begin, even)
                            : same_at_each_level(even, data.hierarchy.num_levels());
  store_fusion(fusion, tensors);
  fuse(fusion, arrays.level_begin, validation_scores);
}

void write_finished_model(const std::filesystem::path& directory, const TrainingData& data,
                          ScoreSet validation_scores, TensorFile tensors) {
  make_coherent(data.hierarchy, validation_scores.combined);
  store_thresholds(tune_thresholds(validation_scores, truth_of(data.validation)), tensors);
  save_model(directory, {data.config, data.hierarchy, data.vocabulary, std::move(tensors)});
}

}  // namespace hmtc
