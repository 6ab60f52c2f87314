#include "network/network.h"

#include <algorithm>

#include "base/logistic.h"

namespace hmtc {

NetworkScores scores_of(NetworkLogits logits, double local_weight) {
  NetworkScores scores;
  for (Matrix* matrix : {&logits.local, &logits.global}) {
    matrix->apply([](float logit) { return sigmoid(logit); });  // Eq. 11, 15
  }
  if (logits.local.empty() || logits.global.empty()) {
    scores.combined = std::move(logits.local.empty() ? logits.global : logits.local);
    return scores;
  }
  scores.local = std::move(logits.local);
  scores.global = std::move(logits.global);
  scores.combined = Matrix(scores.local.rows(), scores.local.columns());
  const auto alpha = static_cast<float>(local_weight);
  std::transform(scores.local.values().begin(), scores.local.values().end(),
                 scores.global.values().begin(), scores.combined.values().begin(),
                 [&](float p, float p_g) { return alpha * p + (1 - alpha) * p_g; });  // Eq. 17
  return scores;
}

}  // namespace hmtc
