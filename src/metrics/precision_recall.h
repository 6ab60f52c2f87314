#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "metrics/predictions.h"

namespace hmtc {

/// A partition of the labels; the (document, label) pairs of a group are pooled into one curve.
struct LabelGroups {
  std::vector<std::size_t> group_of;  ///< per label
  std::size_t num_groups = 0;
};

LabelGroups one_group(std::size_t num_labels);
LabelGroups group_per_label(std::size_t num_labels);
LabelGroups group_per_level(std::span<const std::int32_t> level_begin);

/// What is predicted when every pair that scores at least `threshold` is.
struct CurvePoint {
  float threshold = 0;
  std::size_t true_positives = 0;
  std::size_t false_positives = 0;
  std::size_t false_positives_above = 0;  ///< those that score strictly above the threshold
};

/// One point per distinct score of a positive pair, from the highest score to the lowest; equal
/// scores are never separated. Thresholds between these add false positives only, so the points
/// say all that an area or a best F1 needs. Without a positive there is no point.
struct PrecisionRecallCurve {
  std::vector<CurvePoint> points;

  std::size_t num_positives() const { return points.empty() ? 0 : points.back().true_positives; }
};

/// One curve per group. Time O(pairs · log positives), memory O(positives + labels).
std::vector<PrecisionRecallCurve> precision_recall_curves(const ScoreMatrix& scores,
                                                          const LabelSets& truth,
                                                          const LabelGroups& groups);

/// The step-wise area, sum of (R_n - R_{n-1}) P_n, which scikit-learn calls average precision.
/// NaN without a positive.
double average_precision(const PrecisionRecallCurve& curve);

/// The area as CLUS computes it (Davis and Goadrich 2006). Every distinct score is a threshold.
/// Between two neighbouring thresholds A and B the curve runs through one point for each true
/// positive count t from TP_A to TP_B, with FP(t) = FP_A + (FP_B - FP_A) (t - TP_A) / (TP_B - TP_A)
/// and precision t / (t + FP(t)); the area is the sum of the trapezia between these points. From
/// recall 0 the curve starts with the precision of the highest threshold: 0 when the highest score
/// belongs to negatives only. Thresholds without a positive drop the precision at constant recall.
/// On the curve of all pairs this is CLUS's pooled AU(PRC). NaN without a positive (CLUS says 0).
double clus_area(const PrecisionRecallCurve& curve);

/// AU(PRC) in all its averages.
struct AreasUnderCurve {
  double micro = kUndefined;      ///< average precision of all pairs pooled; the headline
  double macro = kUndefined;      ///< mean over the labels with at least one positive
  double weighted = kUndefined;   ///< the same mean weighted by the number of positives
  double clus = kUndefined;       ///< clus_area of all pairs pooled
  std::vector<double> per_level;  ///< micro within each level
  std::size_t num_labels_with_positives = 0;
};

AreasUnderCurve areas_under_curve(const ScoreMatrix& scores, const LabelSets& truth,
                                  std::span<const std::int32_t> level_begin);

/// The headline alone, for choosing a checkpoint.
double micro_average_precision(const ScoreMatrix& scores, const LabelSets& truth);

}  // namespace hmtc
