#pragma once

#include <optional>

#include "config/options.h"
#include "model/max_constraint.h"
#include "model/model.h"

namespace hmtc {

/// What the classifiers of a model say of a batch, each (B, M).
struct ModelOutput {
  torch::Tensor local_logits;   ///< one classifier per level; undefined where there is none
  torch::Tensor global_logits;  ///< one classifier over all levels; undefined where there is none
};

/// A model whose classifiers give logits and learn from their binary cross-entropy, or from another
/// loss of logits.
class LogitModel : public Model {
 public:
  /// `local_weight`: the share of the local scores in the combined ones.
  LogitModel(Encoder encoder, double local_weight)
      : Model(std::move(encoder)), local_weight_(local_weight) {}

  virtual ModelOutput forward(const WordBatch& batch) = 0;

  void set_loss(const LossOptions& loss) { loss_ = loss; }

  /// The sum of the losses of all classifiers.
  virtual torch::Tensor loss_of(const ModelOutput& output, const torch::Tensor& targets) const;

  /// The one place where logits become probabilities.
  ModelScores scores_of(const ModelOutput& output) const;

  torch::Tensor loss(const WordBatch& batch, const torch::Tensor& targets) final {
    return loss_of(forward(batch), targets);
  }
  ModelScores scores(const WordBatch& batch) final { return scores_of(forward(batch)); }

 protected:
  /// From then on a label scores as the best of its subtree, for each classifier.
  void use_max_constraint(const Hierarchy& hierarchy) { max_constraint_.emplace(hierarchy); }

 private:
  double local_weight_;
  LossOptions loss_;
  std::optional<MaxConstraint> max_constraint_;
};

}  // namespace hmtc
