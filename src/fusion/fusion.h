#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "metrics/predictions.h"

namespace hmtc {

/// How the probabilities that several classifiers give become one: their logits are weighted and
/// added to a shift, and the sigmoid of the sum is the result. With a single classifier this is a
/// temperature and a shift.
struct Fusion {
  std::vector<float> weights;  ///< (labels, classifiers)
  std::vector<float> shifts;   ///< (labels)

  std::size_t num_labels() const { return shifts.size(); }
  std::size_t num_classifiers() const {
    return shifts.empty() ? 0 : weights.size() / shifts.size();
  }
  /// Those of one label, a weight for each classifier.
  std::span<const float> weights_of(std::size_t label) const {
    return std::span(weights).subspan(label * num_classifiers(), num_classifiers());
  }
};

/// What each classifier says of the same documents and labels.
using ClassifierScores = std::vector<ScoreMatrix>;

/// The same weights, and no shift, for each label.
Fusion same_for_each_label(std::span<const float> weights, std::size_t num_labels);

/// How often each label stands in these documents: ln(1 + documents), less the mean over the labels
/// of its level.
std::vector<float> label_frequencies(const LabelSets& documents,
                                     std::span<const std::int32_t> level_begin);

/// The fusion with the least cross-entropy on documents whose labels are known, level by level. Of
/// a label with the frequency f, each weight is w + v f and the shift is c + d f; without
/// frequencies all labels of a level have the same. A penalty of 5 (w - start)² + 50 v² for each
/// classifier and of 0.5 c² + 5 d², beside the sum over all pairs, keeps a level with few positives
/// near `start`.
Fusion fit_fusion(const ClassifierScores& scores, const LabelSets& truth,
                  std::span<const std::int32_t> level_begin, std::span<const float> start,
                  std::span<const float> frequencies = {});

/// Fills `fused` (documents, labels) with the probabilities that the classifiers agree on.
void fuse(const Fusion& fusion, const ClassifierScores& scores, std::span<float> fused);

}  // namespace hmtc
