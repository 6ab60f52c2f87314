#include "metrics/precision_recall.h"

#include <algorithm>
#include <numeric>

namespace hmtc {
namespace {

/// The scores of the positive pairs, group after group, rising and distinct within a group, and
/// how the pairs fall on them.
struct PositiveScores {
  std::vector<std::size_t> begin;           ///< per group, and one more
  std::vector<float> thresholds;            ///< of group g: begin[g] to begin[g + 1]
  std::vector<std::size_t> positives;       ///< that score exactly this
  std::vector<std::size_t> negatives_from;  ///< from this threshold to just below the next
  std::vector<std::size_t> negatives_at;    ///< that score exactly this
};

/// The scores of the positives of every group, rising, with repetitions.
std::vector<std::vector<float>> collect_positives(const ScoreMatrix& scores, const LabelSets& truth,
                                                  const LabelGroups& groups) {
  std::vector<std::vector<float>> collected(groups.num_groups);
  for (std::size_t document = 0; document < scores.num_documents; ++document) {
    const std::span<const float> row = scores.row(document);
    for (const std::int32_t id : truth.of(document)) {
      const auto label = static_cast<std::size_t>(id);
      collected[groups.group_of[label]].push_back(row[label]);
    }
  }
  for (std::vector<float>& group : collected) std::sort(group.begin(), group.end());
  return collected;
}

PositiveScores distinct_positives(const std::vector<std::vector<float>>& collected) {
  PositiveScores distinct;
  for (const std::vector<float>& group : collected) {
    distinct.begin.push_back(distinct.thresholds.size());
    for (std::size_t i = 0; i < group.size(); ++i) {
      if (i == 0 || group[i] != group[i - 1]) {
        distinct.thresholds.push_back(group[i]);
        distinct.positives.push_back(0);
      }
      ++distinct.positives.back();
    }
  }
  distinct.begin.push_back(distinct.thresholds.size());
  distinct.negatives_from.resize(distinct.thresholds.size());
  distinct.negatives_at.resize(distinct.thresholds.size());
  return distinct;
}

/// How many of the rising values are at most `score`. A product instead of a condition, which the
/// compiler would make a branch that nothing can predict: that took twice the time.
std::size_t count_at_most(const float* values, std::size_t count, float score) {
  const float* base = values;
  while (count > 1) {
    const std::size_t half = count / 2;
    base += half * static_cast<std::size_t>(base[half - 1] <= score);
    count -= half;
  }
  return static_cast<std::size_t>(base - values) + (count == 1 && *base <= score ? 1 : 0);
}

void count_negatives(const ScoreMatrix& scores, const LabelSets& truth, const LabelGroups& groups,
                     PositiveScores& distinct) {
  for (std::size_t document = 0; document < scores.num_documents; ++document) {
    visit_pairs(scores, truth, document, [&](std::size_t label, float score, bool is_positive) {
      if (is_positive) return;
      const std::size_t begin = distinct.begin[groups.group_of[label]];
      const std::size_t end = distinct.begin[groups.group_of[label] + 1];
      // Most negatives score below every positive.
      if (begin == end || score < distinct.thresholds[begin]) return;
      const std::size_t place =
          begin + count_at_most(&distinct.thresholds[begin], end - begin, score) - 1;
      ++distinct.negatives_from[place];
      if (distinct.thresholds[place] == score) ++distinct.negatives_at[place];
    });
  }
}

PrecisionRecallCurve curve_of(const PositiveScores& distinct, std::size_t group) {
  PrecisionRecallCurve curve;
  curve.points.reserve(distinct.begin[group + 1] - distinct.begin[group]);
  CurvePoint point;
  for (std::size_t i = distinct.begin[group + 1]; i-- > distinct.begin[group];) {
    point.threshold = distinct.thresholds[i];
    point.true_positives += distinct.positives[i];
    point.false_positives += distinct.negatives_from[i];
    point.false_positives_above = point.false_positives - distinct.negatives_at[i];
    curve.points.push_back(point);
  }
  return curve;
}

double precision(double true_positives, double false_positives) {
  return true_positives / (true_positives + false_positives);
}

}  // namespace

LabelGroups one_group(std::size_t num_labels) {
  return {std::vector<std::size_t>(num_labels, 0), 1};
}

LabelGroups group_per_label(std::size_t num_labels) {
  LabelGroups groups{std::vector<std::size_t>(num_labels), num_labels};
  std::iota(groups.group_of.begin(), groups.group_of.end(), std::size_t{0});
  return groups;
}

LabelGroups group_per_level(std::span<const std::int32_t> level_begin) {
  LabelGroups groups;
  for (std::size_t level = 0; level + 1 < level_begin.size(); ++level) {
    groups.group_of.resize(static_cast<std::size_t>(level_begin[level + 1]), level);
    ++groups.num_groups;
  }
  return groups;
}

std::vector<PrecisionRecallCurve> precision_recall_curves(const ScoreMatrix& scores,
                                                          const LabelSets& truth,
                                                          const LabelGroups& groups) {
  check_predictions(scores, truth);
  PositiveScores distinct = distinct_positives(collect_positives(scores, truth, groups));
  count_negatives(scores, truth, groups, distinct);
  std::vector<PrecisionRecallCurve> curves;
  curves.reserve(groups.num_groups);
  for (std::size_t group = 0; group < groups.num_groups; ++group) {
    curves.push_back(curve_of(distinct, group));
  }
  return curves;
}

double average_precision(const PrecisionRecallCurve& curve) {
  if (curve.points.empty()) return kUndefined;
  double area = 0;
  std::size_t previous = 0;
  for (const CurvePoint& point : curve.points) {
    area += static_cast<double>(point.true_positives - previous) *
            precision(static_cast<double>(point.true_positives),
                      static_cast<double>(point.false_positives));
    previous = point.true_positives;
  }
  return area / static_cast<double>(curve.num_positives());
}

double clus_area(const PrecisionRecallCurve& curve) {
  if (curve.points.empty()) return kUndefined;
  double area = 0;  // in units of one true positive
  double from_true = 0;
  for (const CurvePoint& point : curve.points) {
    const auto to_true = static_cast<double>(point.true_positives);
    const auto to_false = static_cast<double>(point.false_positives);
    const auto from_false = static_cast<double>(point.false_positives_above);
    if (from_true + from_false == 0) {  // the highest score of all: there is no point before it
      area += to_true * precision(to_true, to_false);
    } else {
      const double false_per_true = (to_false - from_false) / (to_true - from_true);
      double left = precision(from_true, from_false);
      for (double step = 1; step <= to_true - from_true; ++step) {
        const double right = precision(from_true + step, from_false + false_per_true * step);
        area += (left + right) / 2;
        left = right;
      }
    }
    from_true = to_true;
  }
  return area / static_cast<double>(curve.num_positives());
}

AreasUnderCurve areas_under_curve(const ScoreMatrix& scores, const LabelSets& truth,
                                  std::span<const std::int32_t> level_begin) {
  check_levels(level_begin, scores.num_labels);
  AreasUnderCurve areas;
  const PrecisionRecallCurve pooled =
      precision_recall_curves(scores, truth, one_group(scores.num_labels)).front();
  areas.micro = average_precision(pooled);
  areas.clus = clus_area(pooled);
  for (const PrecisionRecallCurve& level :
       precision_recall_curves(scores, truth, group_per_level(level_begin))) {
    areas.per_level.push_back(average_precision(level));
  }
  double sum = 0;
  double weighted_sum = 0;
  for (const PrecisionRecallCurve& label :
       precision_recall_curves(scores, truth, group_per_label(scores.num_labels))) {
    if (label.points.empty()) continue;
    ++areas.num_labels_with_positives;
    sum += average_precision(label);
    weighted_sum += average_precision(label) * static_cast<double>(label.num_positives());
  }
  if (areas.num_labels_with_positives > 0) {
    areas.macro = sum / static_cast<double>(areas.num_labels_with_positives);
    areas.weighted = weighted_sum / static_cast<double>(pooled.num_positives());
  }
  return areas;
}

double micro_average_precision(const ScoreMatrix& scores, const LabelSets& truth) {
  return average_precision(
      precision_recall_curves(scores, truth, one_group(scores.num_labels)).front());
}

}  // namespace hmtc
