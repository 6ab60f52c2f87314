#pragma once

#include "artifact/thresholds.h"
#include "data/score_set.h"
#include "metrics/predictions.h"

namespace hmtc {

/// The thresholds with the best F1 on validation scores: one for all labels, and one per label.
TunedThresholds tune_thresholds(const ScoreSet& scores, const LabelSets& truth);

}  // namespace hmtc
