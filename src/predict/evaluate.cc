#include "predict/evaluate.h"

#include <fmt/format.h>

#include "base/error.h"
#include "data/truth.h"

namespace hmtc {

Evaluation evaluate(const LoadedModel& model, const Corpus& corpus, bool coherent) {
  ScoreSet scores = model.scorer->score(corpus);
  const HierarchyArrays arrays(model.hierarchy);

  Evaluation evaluation;
  const auto measure = [&](const char* name, std::vector<float>& values) {
    if (values.empty()) return;
    const HierarchyViolations violations =
        count_violations(matrix_of(values, scores), arrays.parents());
    const double raw_micro = micro_average_precision(matrix_of(values, scores), truth_of(corpus));
    if (coherent) make_coherent(model.hierarchy, values);
    NamedReport report{name, evaluate_scores({.scores = matrix_of(values, scores),
                                              .truth = truth_of(corpus),
                                              .level_begin = arrays.level_begin,
                                              .parents = arrays.parents(),
                                              .global_threshold = model.thresholds.common,
                                              .label_thresholds = model.thresholds.per_label})};
    report.report.violations_left = report.report.violations;
    report.report.violations = violations;
    report.report.raw_micro = raw_micro;
    evaluation.reports.push_back(std::move(report));
  };
  measure("combined", scores.combined);
  evaluation.curve = precision_recall_curves(matrix_of(scores.combined, scores), truth_of(corpus),
                                             one_group(scores.num_labels))
                         .front();
  measure("local", scores.local);
  measure("global", scores.global);
  measure("wide", scores.wide);
  return evaluation;
}

Evaluation evaluate(const LoadedModel& model, const std::string& file,
                    const EvaluateOptions& options) {
  LabelResolver labels(model.hierarchy, options.strict);
  const Corpus corpus = read_corpus(file, model.vocabulary, labels, model.read_options());
  Evaluation evaluation = evaluate(model, corpus, options.coherent);
  evaluation.warnings = warnings_of(labels);
  return evaluation;
}

std::vector<std::string> warnings_of(const LabelResolver& labels) {
  std::vector<std::string> warnings;
  for (const auto& [label, count] : labels.left_out()) {
    warnings.push_back(fmt::format("label {} is not in the model; left out of {} documents",
                                   in_quotes(label), count));
  }
  return warnings;
}

}  // namespace hmtc
