#include "metrics/f_score.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "metrics/precision_recall.h"

namespace hmtc {
namespace {

/// Sizes of a predicted set, a true set and what they share.
struct Overlap {
  std::size_t predicted = 0;
  std::size_t positive = 0;
  std::size_t both = 0;

  void add(bool is_predicted, bool is_positive) {
    predicted += is_predicted ? 1 : 0;
    positive += is_positive ? 1 : 0;
    both += is_predicted && is_positive ? 1 : 0;
  }
};

double ratio(std::size_t numerator, std::size_t denominator, double without_denominator) {
  return denominator == 0 ? without_denominator
                          : static_cast<double>(numerator) / static_cast<double>(denominator);
}

PrecisionRecallF1 scores_of(const Overlap& overlap, double without_denominator) {
  return {ratio(overlap.both, overlap.predicted, without_denominator),
          ratio(overlap.both, overlap.positive, without_denominator),
          ratio(2 * overlap.both, overlap.predicted + overlap.positive, without_denominator)};
}

/// The mean of what was added, NaN of nothing.
class Mean {
 public:
  void add(const PrecisionRecallF1& value) {
    sum_.precision += value.precision;
    sum_.recall += value.recall;
    sum_.f1 += value.f1;
    ++count_;
  }
  std::size_t count() const { return count_; }
  PrecisionRecallF1 value() const {
    if (count_ == 0) return {};
    const auto count = static_cast<double>(count_);
    return {sum_.precision / count, sum_.recall / count, sum_.f1 / count};
  }

 private:
  PrecisionRecallF1 sum_{0, 0, 0};
  std::size_t count_ = 0;
};

void check_thresholds(const Thresholds& thresholds, std::size_t num_labels) {
  if (thresholds.per_label.empty() || thresholds.per_label.size() == num_labels) return;
  throw Error(ErrorKind::kInternal, fmt::format("metrics: {} thresholds for {} labels",
                                                thresholds.per_label.size(), num_labels));
}

/// The labels of the k highest scores, best first, in `best`.
void find_best(std::span<const float> row, std::size_t k, std::vector<std::size_t>& best) {
  best.clear();
  for (std::size_t label = 0; label < row.size(); ++label) {
    if (best.size() == k && row[label] <= row[best.back()]) continue;
    if (best.size() == k) best.pop_back();
    // Behind all equal scores, which have smaller ids.
    const auto place =
        std::upper_bound(best.begin(), best.end(), label,
                         [&](std::size_t a, std::size_t b) { return row[a] > row[b]; });
    best.insert(place, label);
  }
}

/// The score of the curve's point with the best F1, the highest of equals.
float lowest_accepted(const PrecisionRecallCurve& curve) {
  double best_f1 = -1;
  float threshold = 0;
  for (const CurvePoint& point : curve.points) {
    const double f1 =
        ratio(2 * point.true_positives,
              point.true_positives + point.false_positives + curve.num_positives(), 0);
    if (f1 > best_f1) {
      best_f1 = f1;
      threshold = point.threshold;
    }
  }
  return threshold;
}

std::vector<float> best_thresholds(const ScoreMatrix& scores, const LabelSets& truth,
                                   const LabelGroups& groups, float fallback) {
  constexpr float kNone = -std::numeric_limits<float>::infinity();
  const std::vector<PrecisionRecallCurve> curves = precision_recall_curves(scores, truth, groups);
  std::vector<float> accepted(groups.num_groups, kNone);
  for (std::size_t group = 0; group < groups.num_groups; ++group) {
    if (!curves[group].points.empty()) accepted[group] = lowest_accepted(curves[group]);
  }
  std::vector<float> refused(groups.num_groups, kNone);  // the highest score below `accepted`
  for (std::size_t document = 0; document < scores.num_documents; ++document) {
    const std::span<const float> row = scores.row(document);
    for (std::size_t label = 0; label < row.size(); ++label) {
      const std::size_t group = groups.group_of[label];
      if (row[label] < accepted[group]) refused[group] = std::max(refused[group], row[label]);
    }
  }
  std::vector<float> thresholds(groups.num_groups, fallback);
  for (std::size_t group = 0; group < groups.num_groups; ++group) {
    if (accepted[group] == kNone) continue;
    const float middle = std::midpoint(refused[group], accepted[group]);
    // Between neighbouring floats the middle is one of the two; the refused one would be accepted.
    thresholds[group] = middle > refused[group] ? middle : accepted[group];
  }
  return thresholds;
}

}  // namespace

FScores f_scores(const ScoreMatrix& scores, const LabelSets& truth, const Thresholds& thresholds) {
  check_predictions(scores, truth);
  check_thresholds(thresholds, scores.num_labels);
  std::vector<Overlap> of_label(scores.num_labels);
  Mean over_documents;
  for (std::size_t document = 0; document < scores.num_documents; ++document) {
    Overlap of_document;
    visit_pairs(scores, truth, document, [&](std::size_t label, float score, bool is_positive) {
      const bool is_predicted = score >= thresholds.of(label);
      of_document.add(is_predicted, is_positive);
      of_label[label].add(is_predicted, is_positive);
    });
    over_documents.add(scores_of(of_document, 0));
  }
  Overlap all;
  Mean over_labels;
  for (const Overlap& label : of_label) {
    all.predicted += label.predicted;
    all.positive += label.positive;
    all.both += label.both;
    if (label.positive > 0) over_labels.add(scores_of(label, 0));
  }
  return {scores_of(all, kUndefined), over_labels.value(), over_documents.value(),
          over_labels.count()};
}

PrecisionRecallF1 hierarchical_f_score(const ScoreMatrix& scores, const LabelSets& truth,
                                       const LabelSets& parents, const Thresholds& thresholds) {
  check_predictions(scores, truth);
  check_parents(parents, scores.num_labels);
  check_thresholds(thresholds, scores.num_labels);
  Overlap all;
  std::vector<char> predicted(scores.num_labels);
  for (std::size_t document = 0; document < scores.num_documents; ++document) {
    const std::span<const float> row = scores.row(document);
    for (std::size_t label = 0; label < row.size(); ++label) {
      predicted[label] = row[label] >= thresholds.of(label) ? 1 : 0;
    }
    // Parents have smaller ids than their children, so one pass from the bottom closes the set.
    for (std::size_t label = row.size(); label-- > 0;) {
      if (predicted[label] == 0) continue;
      for (const std::int32_t parent : parents.of(label)) {
        predicted[static_cast<std::size_t>(parent)] = 1;
      }
    }
    visit_pairs(scores, truth, document, [&](std::size_t label, float, bool is_positive) {
      all.add(predicted[label] != 0, is_positive);
    });
  }
  return scores_of(all, kUndefined);
}

double precision_at(const ScoreMatrix& scores, const LabelSets& truth, std::size_t k) {
  check_predictions(scores, truth);
  std::size_t hits = 0;
  std::vector<std::size_t> best;
  for (std::size_t document = 0; k > 0 && document < scores.num_documents; ++document) {
    find_best(scores.row(document), k, best);
    const std::span<const std::int32_t> positives = truth.of(document);
    for (const std::size_t label : best) {
      hits +=
          std::binary_search(positives.begin(), positives.end(), static_cast<std::int32_t>(label))
              ? 1
              : 0;
    }
  }
  return ratio(hits, k * scores.num_documents, kUndefined);
}

float best_global_threshold(const ScoreMatrix& scores, const LabelSets& truth, float fallback) {
  return best_thresholds(scores, truth, one_group(scores.num_labels), fallback).front();
}

std::vector<float> best_label_thresholds(const ScoreMatrix& scores, const LabelSets& truth,
                                         float fallback) {
  return best_thresholds(scores, truth, group_per_label(scores.num_labels), fallback);
}

}  // namespace hmtc
