#include "model/max_constraint.h"

namespace hmtc {

MaxConstraint::MaxConstraint(const Hierarchy& hierarchy) {
  for (auto child = static_cast<LabelId>(hierarchy.num_labels()); child-- > 0;) {
    for (const LabelId parent : hierarchy.parents(child)) edges_.push_back({child, parent});
  }
}

torch::Tensor MaxConstraint::best_of_subtree(const torch::Tensor& logits) const {
  return gather_best(logits, {});
}

torch::Tensor MaxConstraint::best_for_loss(const torch::Tensor& logits,
                                           const torch::Tensor& targets) const {
  return gather_best(logits, targets);
}

/// Which label of the subtree is the best needs no gradient; its logit then gets all of it. Of
/// equals the label itself, else the one below the child with the greatest id, so that the choice
/// is always the same. Children have greater ids than their parents: when an edge's turn comes, the
/// best below its child is known.
torch::Tensor MaxConstraint::gather_best(const torch::Tensor& logits,
                                         const torch::Tensor& targets) const {
  const torch::Tensor values = logits.detach().cpu().contiguous();
  // Targets that a teacher has softened are taken for labels from one half on.
  const torch::Tensor truth =
      targets.defined() ? (targets.detach() >= 0.5).cpu().contiguous() : targets;
  const std::int64_t labels = values.size(1);
  torch::Tensor best = torch::arange(labels).repeat({values.size(0), 1});  // (B, M)
  AT_DISPATCH_FLOATING_TYPES(values.scalar_type(), "max_constraint", [&] {
    for (std::int64_t document = 0; document < values.size(0); ++document) {
      const auto* value = values.data_ptr<scalar_t>() + document * labels;
      const bool* has = truth.defined() ? truth.data_ptr<bool>() + document * labels : nullptr;
      auto* chosen = best.data_ptr<std::int64_t>() + document * labels;
      for (const auto& [child, parent] : edges_) {
        if (has != nullptr && has[parent] && !has[child]) continue;
        if (value[chosen[child]] > value[chosen[parent]]) chosen[parent] = chosen[child];
      }
    }
  });
  return logits.gather(1, best.to(logits.device()));
}

}  // namespace hmtc
