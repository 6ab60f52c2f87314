#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "metrics/precision_recall.h"
#include "metrics/predictions.h"

namespace hmtc {

inline constexpr std::size_t kNumReliabilityBins = 15;

/// Document-label pairs with like scores: where scores are probabilities, the mean score is the
/// share of positives.
struct ReliabilityBin {
  std::size_t count = 0;
  double mean_score = kUndefined;  ///< undefined, as the share, for an empty bin
  double positive_share = kUndefined;
};

/// How far scores can be taken for probabilities, over some of the document-label pairs. The
/// expected calibration error (ECE) is the mean over the pairs of |mean score - share of
/// positives| of their bin. All undefined without a pair.
struct Calibration {
  double error = kUndefined;             ///< ECE over `bins`
  double likely_error = kUndefined;      ///< likely_calibration_error() of `bins`
  double equal_mass_error = kUndefined;  ///< ECE over `equal_mass_bins`
  double brier = kUndefined;             ///< mean of (score - 1 or 0)²

  /// 15 bins of equal width: bin i holds the scores from i / 15 to below (i + 1) / 15, the last one
  /// also 1.
  std::vector<ReliabilityBin> bins;
  /// At most 15 bins of like size: bin i ends at the score of rank ⌈i · pairs / 15⌉, i = 1 … 15,
  /// and holds all pairs of that score. Bins that equal scores leave empty are left out.
  std::vector<ReliabilityBin> equal_mass_bins;
};

/// ECE over the pairs behind the first of `Calibration::bins`: nearly all pairs are in that one,
/// labels that nobody would think of, and hide how far the others can be trusted. Undefined without
/// a pair.
double likely_calibration_error(std::span<const ReliabilityBin> bins);

/// One for each group of labels. Time O(pairs), memory independent of them. Throws kInternal for
/// arrays that do not fit together and for scores that are no probabilities.
std::vector<Calibration> calibrations(const ScoreMatrix& scores, const LabelSets& truth,
                                      const LabelGroups& groups);

}  // namespace hmtc
