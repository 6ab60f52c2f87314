#include "model/label_graph.h"

#include <algorithm>

namespace hmtc {

LabelGraph::LabelGraph(const Hierarchy& hierarchy) {
  for (std::size_t h = 0; h < hierarchy.num_levels(); ++h) {
    levels_.push_back(level_of(hierarchy, h));
  }
}

LabelGraph::Level LabelGraph::level_of(const Hierarchy& hierarchy, std::size_t level) {
  const LabelId begin = hierarchy.level_begin(level);
  const auto size = static_cast<LabelId>(hierarchy.level_size(level));
  std::size_t most = 0;
  for (LabelId i = 0; i < size; ++i) most = std::max(most, hierarchy.parents(begin + i).size());
  std::vector<std::int64_t> children, parents, filled;
  std::vector<float> shares;
  for (LabelId i = 0; i < size; ++i) {
    const auto own = hierarchy.parents(begin + i);
    for (const LabelId parent : own) {
      children.push_back(i);
      parents.push_back(parent);
      shares.push_back(1 / static_cast<float>(own.size()));
    }
    for (std::size_t k = 0; k < most; ++k) filled.push_back(own[k < own.size() ? k : 0]);
  }
  return {.num_labels = size,
          .most_parents = static_cast<std::int64_t>(most),
          .children = torch::tensor(children, torch::kInt64),
          .parents = torch::tensor(parents, torch::kInt64),
          .shares = torch::tensor(shares).unsqueeze(1),
          .filled = torch::tensor(filled, torch::kInt64)};
}

torch::Tensor LabelGraph::mean_of_parents(const torch::Tensor& above, std::size_t level) const {
  const Level& own = levels_[level];
  auto rows = above.index_select(0, own.parents);  // (edges, d)
  if (own.most_parents > 1) rows = rows * own.shares;
  return torch::zeros({own.num_labels, above.size(1)}, above.options())
      .index_add(0, own.children, rows);  // (L, d)
}

torch::Tensor LabelGraph::least_of_parents(const torch::Tensor& above, std::size_t level) const {
  const Level& own = levels_[level];
  return above.index_select(1, own.filled)
      .view({above.size(0), own.num_labels, own.most_parents})
      .amin(-1);  // (B, L)
}

}  // namespace hmtc
