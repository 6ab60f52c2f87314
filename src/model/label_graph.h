#pragma once

#include <torch/torch.h>

#include <vector>

#include "hierarchy/hierarchy.h"

namespace hmtc {

/// The edges of a hierarchy as tensors, for what a level takes from the levels above it. Label ids
/// are the hierarchy's; `above` has an entry for each label of all levels above. A level from the
/// second on has labels with at least one parent each.
class LabelGraph {
 public:
  explicit LabelGraph(const Hierarchy& hierarchy);

  std::size_t num_levels() const { return levels_.size(); }

  /// above (·, d) to (L, d): for each label the mean of its parents' rows.
  torch::Tensor mean_of_parents(const torch::Tensor& above, std::size_t level) const;

  /// above (B, ·) to (B, L): for each label the least of its parents' values.
  torch::Tensor least_of_parents(const torch::Tensor& above, std::size_t level) const;

 private:
  struct Level {
    std::int64_t num_labels;
    std::int64_t most_parents;  // of a label
    torch::Tensor children;     // (edges) place of the child in its level
    torch::Tensor parents;      // (edges) id of the parent
    torch::Tensor shares;       // (edges, 1) one divided by the number of the child's parents
    torch::Tensor filled;       // (L * most_parents) ids of parents, the first one again and again
  };
  static Level level_of(const Hierarchy& hierarchy, std::size_t level);

  std::vector<Level> levels_;
};

}  // namespace hmtc
