#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "metrics/calibration.h"
#include "metrics/f_score.h"
#include "metrics/precision_recall.h"
#include "metrics/predictions.h"

namespace hmtc {

/// The k of precision at k.
inline constexpr std::array<std::size_t, 3> kTopCounts = {1, 3, 5};

/// One set of scores (local, global or combined) beside the truth.
struct EvaluationInput {
  ScoreMatrix scores;
  LabelSets truth;                               ///< per document, ancestors included
  std::span<const std::int32_t> level_begin;     ///< level h: [level_begin[h], level_begin[h + 1])
  LabelSets parents;                             ///< per label
  float global_threshold = 0.5F;                 ///< tuned on validation data
  std::span<const float> label_thresholds = {};  ///< tuned on validation data; empty: not tuned
};

/// An edge is violated when the child scores above its parent by more than 1e-6.
struct HierarchyViolations {
  std::size_t edges = 0;          ///< violated, over all documents
  double edge_rate = kUndefined;  ///< of documents · edges of the hierarchy
  std::size_t documents = 0;      ///< with at least one
  double document_rate = kUndefined;
};

HierarchyViolations count_violations(const ScoreMatrix& scores, const LabelSets& parents);

/// The decisions at one choice of thresholds.
struct DecisionScores {
  FScores flat;
  PrecisionRecallF1 hierarchical;
};

struct EvaluationReport {
  std::size_t num_documents = 0;
  std::size_t num_labels = 0;
  std::size_t num_labels_with_positives = 0;
  AreasUnderCurve areas;
  double raw_micro = kUndefined;  ///< micro area before what makes scores coherent
  float global_threshold = 0.5F;
  DecisionScores at_half;  ///< every threshold 0.5
  DecisionScores at_global_threshold;
  DecisionScores at_label_thresholds;  ///< all NaN where none were given
  std::array<double, kTopCounts.size()> precision_at = {kUndefined, kUndefined, kUndefined};
  HierarchyViolations violations;
  HierarchyViolations violations_left;  ///< after what makes scores coherent; none is expected
  Calibration calibration;              ///< of all pairs
  std::vector<Calibration> calibration_per_level;
};

/// All metrics of one set of scores. Throws kInternal for arrays that do not fit together.
EvaluationReport evaluate_scores(const EvaluationInput& input);

}  // namespace hmtc
