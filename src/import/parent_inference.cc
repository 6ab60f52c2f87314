#include "import/parent_inference.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace hmtc {

std::string level_label(std::size_t level, std::int64_t id) {
  return fmt::format("L{}:{}", level + 1, id);
}

void ParentInference::add(const LevelIds& labels, const Place& place) {
  if (levels_.size() < labels.size()) levels_.resize(labels.size());
  std::set<std::int64_t> above;
  for (std::size_t level = 0; level < labels.size(); ++level) {
    const std::set<std::int64_t> here(labels[level].begin(), labels[level].end());
    for (const std::int64_t id : here) {
      Label& label = levels_[level][id];
      if (label.documents++ == 0) label.place = place;
      for (const std::int64_t parent : above) {
        ++label.parents[parent].together;
        label.parents[parent].clear += above.size() == 1 ? 1 : 0;
      }
    }
    above = here;
  }
}

std::vector<HierarchyEdge> ParentInference::edges(Notes& notes) const {
  std::vector<HierarchyEdge> edges;
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    for (const auto& [id, label] : levels_[level]) {
      const std::string name = level_label(level, id);
      if (label.parents.empty()) {
        if (level > 0)
          notes.repaired("labels without any label above, made top labels", label.place);
        edges.push_back({name, {}, {}, label.place});
        continue;
      }
      // max_element gives the first of equals, and the map is sorted by id.
      const auto best = std::max_element(label.parents.begin(), label.parents.end(),
                                         [](const auto& a, const auto& b) {
                                           return std::pair(a.second.clear, a.second.together) <
                                                  std::pair(b.second.clear, b.second.together);
                                         });
      const auto num_clear = std::count_if(label.parents.begin(), label.parents.end(),
                                           [](const auto& p) { return p.second.clear > 0; });
      if (num_clear > 1) {
        notes.repaired("labels whose documents disagree on the parent, decided by the majority",
                       label.place);
      } else if (num_clear == 0 && label.parents.size() > 1) {
        notes.repaired("labels always with several labels above, put under the most frequent",
                       label.place);
      }
      notes.kept("occurrences of labels without their parent, which loading will add", label.place,
                 label.documents - best->second.together);
      edges.push_back({name, level_label(level - 1, best->first), {}, label.place});
    }
  }
  return edges;
}

}  // namespace hmtc
