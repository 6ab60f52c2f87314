#pragma once

#include <torch/torch.h>

#include "model/label_graph.h"

namespace hmtc {

/// Prior from the parent: from the second level on the local logit of a label gets
///   + beta_h log sigma(local logit of its parent),
/// of several parents the least likely one, for a document with the label has them all. beta_h is
/// learned. No gradient goes to the parent: a parent has more wrong children than right ones in
/// nearly every document, and each of them would argue against it. It learns from its own targets.
class ParentPriorImpl : public torch::nn::Module {
 public:
  /// `graph` must have two levels or more.
  explicit ParentPriorImpl(const LabelGraph& graph);

  /// logits (B, L) of a level, from 1; `above` (B, ·): the local logits of all levels above it,
  /// their own priors included.
  torch::Tensor forward(const torch::Tensor& logits, const torch::Tensor& above, std::size_t level);

 private:
  LabelGraph graph_;
  torch::Tensor beta_;  // (H - 1)
};
TORCH_MODULE(ParentPrior);

}  // namespace hmtc
