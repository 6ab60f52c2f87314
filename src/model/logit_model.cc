#include "model/logit_model.h"

#include "model/loss.h"

namespace hmtc {

torch::Tensor LogitModel::loss_of(const ModelOutput& output, const torch::Tensor& targets) const {
  // D2: the mean over the batch, not the sum over all documents.
  const auto mean_loss = [&](const torch::Tensor& all) {
    const auto logits = max_constraint_ ? max_constraint_->best_for_loss(all, targets) : all;
    return sum_of_losses(loss_, logits, targets) / targets.size(0);
  };
  if (!output.local_logits.defined()) return mean_loss(output.global_logits);
  if (!output.global_logits.defined()) return mean_loss(output.local_logits);
  const auto O_local = mean_loss(output.local_logits);    // Eq. 12
  const auto O_global = mean_loss(output.global_logits);  // Eq. 14
  return O_local + O_global;                              // Eq. 16
}

ModelScores LogitModel::scores_of(const ModelOutput& output) const {
  const auto sigmoid = [&](const torch::Tensor& all) {
    return torch::sigmoid(max_constraint_ ? max_constraint_->best_of_subtree(all) : all);
  };
  if (!output.local_logits.defined()) return {{}, {}, sigmoid(output.global_logits)};
  if (!output.global_logits.defined()) return {{}, {}, sigmoid(output.local_logits)};
  ModelScores scores;
  scores.local = sigmoid(output.local_logits);                                           // Eq. 11
  scores.global = sigmoid(output.global_logits);                                         // Eq. 15
  scores.combined = local_weight_ * scores.local + (1 - local_weight_) * scores.global;  // Eq. 17
  return scores;
}

}  // namespace hmtc
