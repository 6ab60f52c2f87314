#include "train/tune_thresholds.h"

#include "data/truth.h"
#include "metrics/f_score.h"

namespace hmtc {

TunedThresholds tune_thresholds(const ScoreSet& scores, const LabelSets& truth) {
  const ScoreMatrix matrix = matrix_of(scores.combined, scores);
  TunedThresholds thresholds;
  thresholds.common = best_global_threshold(matrix, truth);
  thresholds.per_label = best_label_thresholds(matrix, truth, thresholds.common);
  return thresholds;
}

}  // namespace hmtc
