#include "metrics/evaluation.h"

namespace hmtc {
namespace {

constexpr float kViolationTolerance = 1e-6F;

std::size_t violated_edges(std::span<const float> row, const LabelSets& parents) {
  std::size_t count = 0;
  for (std::size_t label = 0; label < row.size(); ++label) {
    for (const std::int32_t parent : parents.of(label)) {
      const float parent_score = row[static_cast<std::size_t>(parent)];
      count += row[label] > parent_score + kViolationTolerance ? 1 : 0;
    }
  }
  return count;
}

DecisionScores decide(const EvaluationInput& input, const Thresholds& thresholds) {
  return {f_scores(input.scores, input.truth, thresholds),
          hierarchical_f_score(input.scores, input.truth, input.parents, thresholds)};
}

}  // namespace

HierarchyViolations count_violations(const ScoreMatrix& scores, const LabelSets& parents) {
  check_parents(parents, scores.num_labels);
  HierarchyViolations violations;
  for (std::size_t document = 0; document < scores.num_documents; ++document) {
    const std::size_t edges = violated_edges(scores.row(document), parents);
    violations.edges += edges;
    violations.documents += edges > 0 ? 1 : 0;
  }
  const auto documents = static_cast<double>(scores.num_documents);
  const auto edges = static_cast<double>(parents.labels.size());
  if (scores.num_documents > 0) {
    violations.document_rate = static_cast<double>(violations.documents) / documents;
    if (edges > 0) violations.edge_rate = static_cast<double>(violations.edges) / documents / edges;
  }
  return violations;
}

EvaluationReport evaluate_scores(const EvaluationInput& input) {
  EvaluationReport report;
  report.num_documents = input.scores.num_documents;
  report.num_labels = input.scores.num_labels;
  report.areas = areas_under_curve(input.scores, input.truth, input.level_begin);
  report.raw_micro = report.areas.micro;
  report.num_labels_with_positives = report.areas.num_labels_with_positives;
  report.global_threshold = input.global_threshold;
  report.at_half = decide(input, {.common = 0.5F});
  report.at_global_threshold = decide(input, {.common = input.global_threshold});
  if (!input.label_thresholds.empty()) {
    report.at_label_thresholds = decide(input, {.per_label = input.label_thresholds});
  }
  for (std::size_t i = 0; i < kTopCounts.size(); ++i) {
    report.precision_at[i] = precision_at(input.scores, input.truth, kTopCounts[i]);
  }
  report.violations = count_violations(input.scores, input.parents);
  report.calibration =
      calibrations(input.scores, input.truth, one_group(input.scores.num_labels)).front();
  report.calibration_per_level =
      calibrations(input.scores, input.truth, group_per_level(input.level_begin));
  return report;
}

}  // namespace hmtc
