#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "hierarchy/hierarchy.h"
#include "import/notes.h"

namespace hmtc {

/// The labels of one document, as ids per level.
using LevelIds = std::vector<std::vector<std::int64_t>>;

/// "L2:104" for id 104 of the second level.
std::string level_label(std::size_t level, std::int64_t id);

/// Learns a tree from documents that give their labels per level, but not which hangs where.
/// A document that has exactly one label on the level above settles the parent of its labels: it is
/// a clear vote for it. The parent of a label is the label above with the most clear votes; without
/// any, the one it most often occurs with; among equals the one with the smallest id. A label that
/// never has a label above becomes a top label. So every label has at most one parent, one level
/// up, and the result is always a tree.
class ParentInference {
 public:
  void add(const LevelIds& labels, const Place& place);

  /// Notes the labels whose votes disagree, those without a clear vote, those without any, and the
  /// occurrences of labels in documents that lack the parent they got.
  std::vector<HierarchyEdge> edges(Notes& notes) const;

 private:
  struct Votes {
    std::size_t clear = 0;
    std::size_t together = 0;
  };
  struct Label {
    std::size_t documents = 0;
    std::map<std::int64_t, Votes> parents;
    Place place;
  };

  std::vector<std::map<std::int64_t, Label>> levels_;
};

}  // namespace hmtc
