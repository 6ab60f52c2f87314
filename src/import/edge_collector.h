#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/error.h"
#include "hierarchy/hierarchy.h"

namespace hmtc {

/// Gathers the edges of a hierarchy in the order of first appearance, each once.
class EdgeCollector {
 public:
  /// An empty parent makes a top label.
  void add(std::string_view label, std::string_view parent, const Place& place);

  /// Adds every prefix of a path joined by `separator` and gives the path joined by "/", which is
  /// the label's name. Blanks around the steps are dropped. Throws kInput for an empty step.
  std::string add_path(std::string_view path, std::string_view separator, const Place& place);

  const std::vector<HierarchyEdge>& edges() const { return edges_; }

 private:
  std::vector<HierarchyEdge> edges_;
  std::unordered_set<std::string> seen_;
};

/// The part of a hierarchy that documents use: edges of the labels in `used` and of all that lies
/// above them.
std::vector<HierarchyEdge> used_edges(const std::vector<HierarchyEdge>& edges,
                                      const std::unordered_set<std::string>& used);

}  // namespace hmtc
