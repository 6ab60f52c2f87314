#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "metrics/predictions.h"

namespace hmtc {

/// How the probabilities that several classifiers give become one: their logits are weighted and
/// added to a shift, and the sigmoid of the sum is the result. Weights and shift are those of the
/// label's level. With a single classifier this is a temperature and a shift.
struct Fusion {
  std::vector<float> weights;  ///< (levels, classifiers)
  std::vector<float> shifts;   ///< (levels)

  std::size_t num_levels() const { return shifts.size(); }
  std::size_t num_classifiers() const {
    return shifts.empty() ? 0 : weights.size() / shifts.size();
  }
};

/// What each classifier says of the same documents and labels.
using ClassifierScores = std::vector<ScoreMatrix>;

/// The same weights, and no shift, at each level.
Fusion same_at_each_level(std::span<const float> weights, std::size_t num_levels);

/// The weights and shifts with the least cross-entropy on documents whose labels are known, level
/// by level. A penalty of 5 (weight - start)² and 0.5 shift², beside the sum over all pairs, keeps
/// a level with few positives near `start`.
Fusion fit_fusion(const ClassifierScores& scores, const LabelSets& truth,
                  std::span<const std::int32_t> level_begin, std::span<const float> start);

/// Fills `fused` (documents, labels) with the probabilities that the classifiers agree on.
void fuse(const Fusion& fusion, const ClassifierScores& scores,
          std::span<const std::int32_t> level_begin, std::span<float> fused);

}  // namespace hmtc
