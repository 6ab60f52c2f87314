#pragma once

#include <torch/torch.h>

#include <vector>

#include "hierarchy/hierarchy.h"

namespace hmtc {

/// Coherent scores by construction: the max constraint of C-HMCNN(h) (Giunchiglia and Lukasiewicz
/// 2020), on logits (B, M). A label's subtree is the label and all its descendants.
class MaxConstraint {
 public:
  explicit MaxConstraint(const Hierarchy& hierarchy);

  /// MCM: the greatest logit of each label's subtree. No child is above its parent.
  torch::Tensor best_of_subtree(const torch::Tensor& logits) const;

  /// What MCLoss compares with the targets (B, M), which are closed under ancestors: for a label
  /// that the document has, the greatest logit among those of its subtree that the document has
  /// too, so that a wrong descendant can not stand for it; for any other label that of its whole
  /// subtree.
  torch::Tensor best_for_loss(const torch::Tensor& logits, const torch::Tensor& targets) const;

 private:
  struct Edge {
    std::int64_t child;
    std::int64_t parent;
  };
  torch::Tensor gather_best(const torch::Tensor& logits, const torch::Tensor& targets) const;

  std::vector<Edge> edges_;  // the children from the last id to the first
};

}  // namespace hmtc
