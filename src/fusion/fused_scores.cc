#include "fusion/fused_scores.h"

namespace hmtc {

ClassifierScores classifiers_of(const ScoreSet& scores) {
  ClassifierScores classifiers;
  const auto add = [&](const std::vector<float>& values) {
    classifiers.push_back({values, scores.num_documents, scores.num_labels});
  };
  if (scores.local.empty() || scores.global.empty()) {
    add(scores.combined);
  } else {
    add(scores.local);
    add(scores.global);
  }
  if (!scores.wide.empty()) add(scores.wide);
  return classifiers;
}

std::vector<float> even_weights(const ScoreSet& scores) {
  const float network = scores.wide.empty() ? 1.0F : 0.5F;
  std::vector<float> weights = {network};
  if (!scores.local.empty() && !scores.global.empty()) weights = {network / 2, network / 2};
  if (!scores.wide.empty()) weights.push_back(1 - network);
  return weights;
}

void fuse(const Fusion& fusion, ScoreSet& scores) {
  std::vector<float> fused(scores.num_documents * scores.num_labels);
  fuse(fusion, classifiers_of(scores), fused);
  scores.combined = std::move(fused);
}

}  // namespace hmtc
