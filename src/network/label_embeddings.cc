#include "network/label_embeddings.h"

#include <string>

namespace hmtc {

std::vector<Matrix> label_embeddings(const Hierarchy& hierarchy, std::size_t width, bool sharing,
                                     const Weights& weights) {
  std::vector<Matrix> v_l;
  for (std::size_t h = 0; h < hierarchy.num_levels(); ++h) {
    v_l.push_back(weights.of("level_" + std::to_string(h + 1))
                      .matrix("labels", hierarchy.level_size(h), width));
  }
  if (!sharing) return v_l;
  const auto row_of = [&](LabelId id) {
    const std::size_t level = hierarchy.level_of(id);
    return v_l[level].row(static_cast<std::size_t>(id - hierarchy.level_begin(level)));
  };
  // Ids go from level to level: when a label's turn comes, its parents are done.
  for (LabelId id = 0; id < static_cast<LabelId>(hierarchy.num_labels()); ++id) {
    const auto parents = hierarchy.parents(id);
    const float share = 1 / static_cast<float>(parents.size());
    std::vector<float> mean(width, 0.0F);
    for (const LabelId parent : parents) add_scaled(row_of(parent), share, mean);
    add_scaled(mean, 1, row_of(id));
  }
  return v_l;
}

}  // namespace hmtc
