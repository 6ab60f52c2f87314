#include "hierarchy/hierarchy.h"

#include <fmt/format.h>

#include <algorithm>

namespace hmtc {
namespace {

/// Labels in the order of first appearance with their parents, before ids are ordered by level.
struct RawGraph {
  std::vector<const HierarchyEdge*> first_edge;
  std::vector<std::vector<std::size_t>> parents;
  std::vector<std::vector<std::size_t>> children;
};

using Index = std::unordered_map<std::string_view, std::size_t>;

/// Names stand in lines of hierarchy.tsv.
void check_name(const HierarchyEdge& edge) {
  const std::string& name = edge.label;
  if (name.empty()) {
    throw input_error(edge.place, {"a label", "an empty name", "give every line a label"});
  }
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20; };
  if (!name.starts_with("\xEF\xBB\xBF") && std::none_of(name.begin(), name.end(), is_control))
    return;
  throw input_error(
      edge.place,
      {"a label without tabs, line breaks, other control characters or a byte order mark",
       in_quotes(name), "rename the label"});
}

RawGraph collect(const std::vector<HierarchyEdge>& edges) {
  RawGraph graph;
  Index index;
  for (const HierarchyEdge& edge : edges) {
    check_name(edge);
    if (index.emplace(edge.label, graph.first_edge.size()).second)
      graph.first_edge.push_back(&edge);
  }
  graph.parents.resize(graph.first_edge.size());
  graph.children.resize(graph.first_edge.size());
  std::vector<bool> top(graph.first_edge.size(), false);
  for (const HierarchyEdge& edge : edges) {
    const std::size_t label = index.at(edge.label);
    const auto duplicate = [&] {
      return input_error(edge.place,
                         {"each pair of label and parent once",
                          fmt::format("{} under {} again", in_quotes(edge.label),
                                      edge.parent.empty() ? "no parent" : in_quotes(edge.parent)),
                          "remove the repeated line"});
    };
    if (edge.parent.empty()) {
      if (top[label]) throw duplicate();
      top[label] = true;
      continue;
    }
    const auto parent = index.find(edge.parent);
    if (parent == index.end()) {
      throw input_error(edge.place,
                        {"a parent that is itself a label of the file", in_quotes(edge.parent),
                         "add a line for it (with an empty parent if it is a top label)"});
    }
    auto& parents = graph.parents[label];
    if (std::find(parents.begin(), parents.end(), parent->second) != parents.end())
      throw duplicate();
    parents.push_back(parent->second);
    graph.children[parent->second].push_back(label);
  }
  return graph;
}

/// The longest path from the top to every label (Kahn's order). Throws for a cycle.
std::vector<std::size_t> levels_of(const RawGraph& graph) {
  const std::size_t count = graph.parents.size();
  std::vector<std::size_t> level(count, 0);
  std::vector<std::size_t> waiting(count);
  std::vector<std::size_t> ready;
  for (std::size_t i = 0; i < count; ++i) {
    waiting[i] = graph.parents[i].size();
    if (waiting[i] == 0) ready.push_back(i);
  }
  for (std::size_t done = 0; done < ready.size(); ++done) {
    const std::size_t label = ready[done];
    for (const std::size_t child : graph.children[label]) {
      level[child] = std::max(level[child], level[label] + 1);
      if (--waiting[child] == 0) ready.push_back(child);
    }
  }
  if (ready.size() == count) return level;

  // Every label still waiting has a waiting parent, so walking up must meet a label twice.
  std::size_t label = 0;
  while (waiting[label] == 0) ++label;
  std::vector<std::size_t> path;
  while (std::find(path.begin(), path.end(), label) == path.end()) {
    path.push_back(label);
    label = *std::find_if(graph.parents[label].begin(), graph.parents[label].end(),
                          [&](std::size_t parent) { return waiting[parent] != 0; });
  }
  std::string cycle = graph.first_edge[label]->label;
  for (auto step = std::find(path.begin(), path.end(), label) + 1; step < path.end(); ++step) {
    cycle += " < " + graph.first_edge[*step]->label;
  }
  throw input_error(graph.first_edge[label]->place,
                    {"a hierarchy without cycles",
                     fmt::format("the cycle {} < {}", cycle, graph.first_edge[label]->label),
                     "remove one of these lines"});
}

}  // namespace

Hierarchy::Hierarchy(const std::vector<HierarchyEdge>& edges) {
  const RawGraph graph = collect(edges);
  const std::vector<std::size_t> level = levels_of(graph);
  const std::size_t count = level.size();

  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return level[a] < level[b]; });
  std::vector<LabelId> id_of(count);
  for (std::size_t id = 0; id < count; ++id) {
    id_of[order[id]] = static_cast<LabelId>(id);
    if (id == 0 || level[order[id]] != level[order[id - 1]]) {
      level_begin_.push_back(static_cast<LabelId>(id));
    }
  }
  level_begin_.push_back(static_cast<LabelId>(count));

  names_.resize(count);
  descriptions_.resize(count);
  parents_.resize(count);
  children_.resize(count);
  ids_.reserve(count);
  for (std::size_t id = 0; id < count; ++id) {
    const std::size_t raw = order[id];
    names_[id] = graph.first_edge[raw]->label;
    ids_.emplace(names_[id], static_cast<LabelId>(id));
    for (const std::size_t parent : graph.parents[raw]) parents_[id].push_back(id_of[parent]);
    for (const std::size_t child : graph.children[raw]) children_[id].push_back(id_of[child]);
    std::sort(parents_[id].begin(), parents_[id].end());
    std::sort(children_[id].begin(), children_[id].end());
  }
  for (const HierarchyEdge& edge : edges) {
    std::string& description =
        descriptions_[static_cast<std::size_t>(ids_.find(edge.label)->second)];
    if (description.empty()) description = edge.description;
  }
}

std::size_t Hierarchy::level_of(LabelId id) const {
  return static_cast<std::size_t>(
      std::upper_bound(level_begin_.begin(), level_begin_.end() - 1, id) - level_begin_.begin() -
      1);
}

std::string Hierarchy::shape() const {
  std::string text;
  for (std::size_t level = 0; level < num_levels(); ++level) {
    text += fmt::format("{}{}", level == 0 ? "" : "/", level_size(level));
  }
  return text;
}

LabelId Hierarchy::find(std::string_view name) const {
  const auto found = ids_.find(name);
  return found == ids_.end() ? -1 : found->second;
}

std::vector<LabelId> Hierarchy::closure(std::span<const LabelId> labels) const {
  std::vector<LabelId> closed(labels.begin(), labels.end());
  std::vector<LabelId> pending = closed;
  std::sort(closed.begin(), closed.end());
  closed.erase(std::unique(closed.begin(), closed.end()), closed.end());
  while (!pending.empty()) {
    const LabelId label = pending.back();
    pending.pop_back();
    for (const LabelId parent : parents(label)) {
      const auto place = std::lower_bound(closed.begin(), closed.end(), parent);
      if (place != closed.end() && *place == parent) continue;
      closed.insert(place, parent);
      pending.push_back(parent);
    }
  }
  return closed;
}

void Hierarchy::make_coherent(std::span<float> scores) const {
  // Children have greater ids than their parents, so one pass from the bottom is enough.
  for (std::size_t id = scores.size(); id-- > 0;) {
    for (const LabelId parent : parents_[id]) {
      float& parent_score = scores[static_cast<std::size_t>(parent)];
      parent_score = std::max(parent_score, scores[id]);
    }
  }
}

}  // namespace hmtc
