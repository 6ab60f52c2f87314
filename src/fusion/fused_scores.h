#pragma once

#include <vector>

#include "data/score_set.h"
#include "fusion/fusion.h"

namespace hmtc {

/// What a fusion weighs: the local and the global scores where there are both, else the combined
/// ones; then those of the linear model beside the network, where there is one.
ClassifierScores classifiers_of(const ScoreSet& scores);

/// Each classifier's weight before validation is asked: the network and the linear model count
/// alike, and so do the network's local and global classifier. They add up to one.
std::vector<float> even_weights(const ScoreSet& scores);

/// Puts the fused probabilities in the place of the combined ones.
void fuse(const Fusion& fusion, ScoreSet& scores);

}  // namespace hmtc
