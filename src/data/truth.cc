#include "data/truth.h"

namespace hmtc {

HierarchyArrays::HierarchyArrays(const Hierarchy& hierarchy) {
  for (std::size_t level = 0; level <= hierarchy.num_levels(); ++level) {
    level_begin.push_back(hierarchy.level_begin(level));
  }
  parent_offsets.push_back(0);
  for (LabelId label = 0; label < level_begin.back(); ++label) {
    const auto parents = hierarchy.parents(label);
    parent_ids.insert(parent_ids.end(), parents.begin(), parents.end());
    parent_offsets.push_back(parent_ids.size());
  }
}

void make_coherent(const Hierarchy& hierarchy, std::span<float> scores) {
  const std::size_t num_labels = hierarchy.num_labels();
  for (std::size_t begin = 0; begin < scores.size(); begin += num_labels) {
    hierarchy.make_coherent(scores.subspan(begin, num_labels));
  }
}

}  // namespace hmtc
