#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "hmtc/label.h"

namespace hmtc {

/// One line of hierarchy.tsv: a label under one of its parents.
struct HierarchyEdge {
  std::string label;
  std::string parent;       ///< empty: a top label
  std::string description;  ///< optional readable name
  Place place;              ///< where it stands, for messages
};

/// A tree or directed acyclic graph of labels. A label's level is its longest path from the top,
/// counted from 0. Ids are contiguous level by level, in the order of first appearance, so that a
/// child's id is always greater than those of its parents. Immutable after construction.
class Hierarchy {
 public:
  /// Throws kInput for a cycle, an unknown parent, a duplicate line or an empty label.
  explicit Hierarchy(const std::vector<HierarchyEdge>& edges);

  std::size_t num_labels() const { return names_.size(); }
  std::size_t num_levels() const { return level_begin_.size() - 1; }
  /// The ids of a level are [level_begin(h), level_begin(h + 1)).
  LabelId level_begin(std::size_t level) const { return level_begin_[level]; }
  std::size_t level_size(std::size_t level) const {
    return static_cast<std::size_t>(level_begin_[level + 1] - level_begin_[level]);
  }
  std::size_t level_of(LabelId id) const;
  /// Labels per level, as people write it: "3/40/13".
  std::string shape() const;

  const std::string& name(LabelId id) const { return names_[static_cast<std::size_t>(id)]; }
  const std::string& description(LabelId id) const {
    return descriptions_[static_cast<std::size_t>(id)];
  }
  std::span<const LabelId> parents(LabelId id) const {
    return parents_[static_cast<std::size_t>(id)];
  }
  std::span<const LabelId> children(LabelId id) const {
    return children_[static_cast<std::size_t>(id)];
  }
  /// The id of a label, or -1.
  LabelId find(std::string_view name) const;

  /// The labels and all their ancestors, sorted, each once.
  std::vector<LabelId> closure(std::span<const LabelId> labels) const;

  /// Raises every parent to the score of its best child (the max constraint), so that no child
  /// scores above its parent. `scores` has one entry per label.
  void make_coherent(std::span<float> scores) const;

 private:
  struct StringHash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  std::vector<std::string> names_;
  std::vector<std::string> descriptions_;
  std::vector<std::vector<LabelId>> parents_;
  std::vector<std::vector<LabelId>> children_;
  std::vector<LabelId> level_begin_;
  std::unordered_map<std::string, LabelId, StringHash, std::equal_to<>> ids_;
};

}  // namespace hmtc
