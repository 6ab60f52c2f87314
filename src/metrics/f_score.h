#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "metrics/predictions.h"

namespace hmtc {

/// A pair is predicted when its score is at least the threshold.
struct Thresholds {
  float common = 0.5F;
  std::span<const float> per_label = {};  ///< where given, one per label instead of the common one

  float of(std::size_t label) const { return per_label.empty() ? common : per_label[label]; }
};

struct PrecisionRecallF1 {
  double precision = kUndefined;
  double recall = kUndefined;
  double f1 = kUndefined;
};

/// Three averages of the same decisions. Within the two means a ratio without a denominator is 0,
/// as in scikit-learn (a label or document for which nothing is predicted has precision 0; a
/// document without labels has recall 0 and F1 0). A mean of nothing, or a micro ratio without a
/// denominator, is NaN.
struct FScores {
  PrecisionRecallF1 micro;    ///< all pairs counted together
  PrecisionRecallF1 macro;    ///< mean over the labels with at least one positive
  PrecisionRecallF1 samples;  ///< mean over the documents
  std::size_t num_labels_with_positives = 0;
};

FScores f_scores(const ScoreMatrix& scores, const LabelSets& truth, const Thresholds& thresholds);

/// Hierarchical precision, recall and F1 (Kiritchenko, Matwin, Famili 2005): micro averages over
/// label sets closed under ancestors. The predicted sets are closed here; the truth already is.
PrecisionRecallF1 hierarchical_f_score(const ScoreMatrix& scores, const LabelSets& truth,
                                       const LabelSets& parents, const Thresholds& thresholds);

/// The share of true labels among the k best of a document, averaged over all documents. Of equal
/// scores the smaller id comes first. The denominator is always k, and a document without labels
/// counts as 0. NaN without documents or for k 0.
double precision_at(const ScoreMatrix& scores, const LabelSets& truth, std::size_t k);

/// The threshold with the best micro F1, to be chosen on validation data. It lies midway between
/// the lowest score that it accepts and the highest that it refuses, so that it carries over to
/// other data; where it accepts everything, it is the lowest score itself. Of thresholds with equal
/// F1 the highest is taken. Without a positive it is `fallback`.
float best_global_threshold(const ScoreMatrix& scores, const LabelSets& truth,
                            float fallback = 0.5F);

/// The same for every label by itself; `fallback` for labels without a positive.
std::vector<float> best_label_thresholds(const ScoreMatrix& scores, const LabelSets& truth,
                                         float fallback);

}  // namespace hmtc
