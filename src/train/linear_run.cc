#include "train/linear_run.h"

#include <fmt/format.h>

#include "artifact/linear_tensors.h"
#include "artifact/model_directory.h"
#include "data/truth.h"
#include "metrics/precision_recall.h"
#include "train/tune_thresholds.h"

namespace hmtc {
namespace {

IdRows words_of(const Corpus& corpus) { return {corpus.word_offsets, corpus.words}; }

}  // namespace

TrainResult train_linear(const TrainRequest& request, const TrainingData& data) {
  const std::size_t num_labels = data.hierarchy.num_labels();
  const auto threads = static_cast<int>(data.config.train.threads);
  const TfIdf tf_idf =
      TfIdf::fit(words_of(data.train), data.vocabulary.size(), tf_idf_options(data.config.linear));
  const SparseMatrix train = tf_idf.transform(words_of(data.train), threads);
  const SparseMatrix validation = tf_idf.transform(words_of(data.validation), threads);
  if (!tf_idf.pairs().empty()) {
    request.observer->on_message(fmt::format("features: {} words and {} word pairs",
                                             data.vocabulary.size() - Vocabulary::kNumSpecial,
                                             tf_idf.pairs().size()));
  }

  double best_score = -1;
  ScoreSet scores{data.validation.size(), num_labels, {}, {}, {}};
  StrengthSearch search;
  search.strengths = data.config.linear.strengths;
  search.validate = [&](std::span<const float> probabilities) {
    scores.combined.assign(probabilities.begin(), probabilities.end());
    make_coherent(data.hierarchy, scores.combined);
    return micro_average_precision(matrix_of(scores.combined, scores), truth_of(data.validation));
  };
  search.progress = [&](const StrengthReport& report) {
    best_score = std::max(best_score, report.score);
    request.observer->on_message(fmt::format("strength {:g}: validation AU(PRC) {:.4f}, {:.1f} s",
                                             report.strength, report.score, report.seconds));
  };
  const LinearModel model =
      train_with_validation(train, {data.train.label_offsets, data.train.labels}, num_labels,
                            validation, search, threads);

  scores.combined.resize(data.validation.size() * num_labels);
  score(model, validation, scores.combined, threads);
  make_coherent(data.hierarchy, scores.combined);
  TensorFile tensors;
  store_linear(model, tf_idf, tensors);
  store_thresholds(tune_thresholds(scores, truth_of(data.validation)), tensors);
  save_model(request.out, {data.config, data.hierarchy, data.vocabulary, std::move(tensors)});
  return {TrainOutcome::kFinished, best_score};
}

}  // namespace hmtc
