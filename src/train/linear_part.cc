#include "train/linear_part.h"

#include <fmt/format.h>

#include <algorithm>

#include "artifact/linear_tensors.h"
#include "data/truth.h"
#include "metrics/precision_recall.h"

namespace hmtc {
namespace {

/// All of them: the linear model has no reason to cut a document.
IdRows words_of(const Corpus& corpus) { return {corpus.word_offsets, corpus.words}; }

TfIdf fit_tf_idf(const TrainingData& data) {
  return TfIdf::fit(words_of(data.train), data.vocabulary.size(),
                    tf_idf_options(data.config.linear));
}

}  // namespace

LinearPart fit_linear_part(const TrainingData& data, TrainObserver& observer,
                           std::function<bool()> is_enough) {
  const std::size_t num_labels = data.hierarchy.num_labels();
  const auto threads = static_cast<int>(data.config.train.threads);
  const TfIdf tf_idf = fit_tf_idf(data);
  const SparseMatrix train = tf_idf.transform(words_of(data.train), threads);
  const SparseMatrix validation = tf_idf.transform(words_of(data.validation), threads);
  if (!tf_idf.pairs().empty()) {
    observer.on_message(fmt::format("features: {} words and {} word pairs",
                                    data.vocabulary.size() - Vocabulary::kNumSpecial,
                                    tf_idf.pairs().size()));
  }

  StrengthSearch search;
  search.is_enough = std::move(is_enough);
  search.strengths = data.config.linear.strengths;
  std::sort(search.strengths.begin(), search.strengths.end());
  search.validate = [&](std::span<const float> probabilities) {
    std::vector<float> coherent(probabilities.begin(), probabilities.end());
    make_coherent(data.hierarchy, coherent);
    return micro_average_precision({coherent, data.validation.size(), num_labels},
                                   truth_of(data.validation));
  };
  search.progress = [&](const StrengthReport& report) {
    observer.on_message(fmt::format("strength {:g}: validation AU(PRC) {:.4f}, {:.1f} s",
                                    report.strength, report.score, report.seconds));
  };
  auto [model, scores] = train_with_validation(train, {data.train.label_offsets, data.train.labels},
                                               num_labels, validation, search, threads);
  return {tf_idf, std::move(model), std::move(scores)};
}

LinearPart fit_linear_part(const TrainingData& data, double strength) {
  const auto threads = static_cast<int>(data.config.train.threads);
  TfIdf tf_idf = fit_tf_idf(data);
  OneVsRestTrainer trainer(tf_idf.transform(words_of(data.train), threads),
                           {data.train.label_offsets, data.train.labels},
                           data.hierarchy.num_labels(), threads);
  return {std::move(tf_idf), trainer.train(strength), {}};
}

}  // namespace hmtc
