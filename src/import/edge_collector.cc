#include "import/edge_collector.h"

#include <unordered_map>

#include "base/strings.h"

namespace hmtc {

void EdgeCollector::add(std::string_view label, std::string_view parent, const Place& place) {
  // A line break cannot be part of a name that stands in hierarchy.tsv.
  std::string key;
  key.reserve(label.size() + parent.size() + 1);
  key.append(parent).append("\n").append(label);
  if (!seen_.insert(std::move(key)).second) return;
  edges_.push_back({std::string(label), std::string(parent), {}, place});
}

std::string EdgeCollector::add_path(std::string_view path, std::string_view separator,
                                    const Place& place) {
  std::string label;
  std::string parent;
  for (std::size_t begin = 0, end = 0; end != std::string_view::npos;
       begin = end + separator.size()) {
    end = path.find(separator, begin);
    const std::string_view step =
        trim(path.substr(begin, end == std::string_view::npos ? end : end - begin));
    if (step.empty()) {
      throw input_error(
          place,
          {"labels that are paths joined by " + in_quotes(std::string(separator)),
           "an empty step in " + in_quotes(std::string(path)), "name every step of the path"});
    }
    if (separator != "/" && step.find('/') != std::string_view::npos) {
      throw input_error(place,
                        {"steps without \"/\", which joins the steps of a label from here on",
                         in_quotes(std::string(step)), "rename the step"});
    }
    parent = label;
    if (!label.empty()) label += '/';
    label += step;
    add(label, parent, place);
  }
  return label;
}

std::vector<HierarchyEdge> used_edges(const std::vector<HierarchyEdge>& edges,
                                      const std::unordered_set<std::string>& used) {
  std::unordered_map<std::string, std::vector<const HierarchyEdge*>> edges_of;
  for (const HierarchyEdge& edge : edges) edges_of[edge.label].push_back(&edge);
  std::unordered_set<std::string> wanted = used;
  std::vector<std::string> pending(used.begin(), used.end());
  while (!pending.empty()) {
    const std::string label = pending.back();
    pending.pop_back();
    for (const HierarchyEdge* edge : edges_of[label]) {
      if (!edge->parent.empty() && wanted.insert(edge->parent).second) {
        pending.push_back(edge->parent);
      }
    }
  }
  std::vector<HierarchyEdge> kept;
  for (const HierarchyEdge& edge : edges) {
    if (wanted.contains(edge.label)) kept.push_back(edge);
  }
  return kept;
}

}  // namespace hmtc
