#include "hierarchy/hierarchy_file.h"

#include <unordered_set>

#include "base/line_reader.h"
#include "base/strings.h"

namespace hmtc {

Hierarchy read_hierarchy(const std::string& path) {
  LineReader reader(path);
  std::vector<HierarchyEdge> edges;
  std::string_view line;
  while (reader.next(line)) {
    if (line.empty()) continue;
    if (!is_utf8(line)) {
      throw input_error(reader.place(),
                        {"UTF-8", "bytes that are not", "convert the file to UTF-8"});
    }
    const auto fields = split_fields(line, '\t');
    if (fields.size() < 2 || fields.size() > 3) {
      throw input_error(
          reader.place(),
          {"label<TAB>parent, and perhaps <TAB>description",
           std::to_string(fields.size()) + " column(s) in " + in_quotes(std::string(line)),
           "separate the columns by one tab; a top label has an empty parent"});
    }
    edges.push_back({std::string(fields[0]), std::string(fields[1]),
                     fields.size() == 3 ? std::string(fields[2]) : std::string(), reader.place()});
  }
  if (edges.empty()) {
    throw input_error({path}, {"at least one label", "an empty file",
                               "write one line label<TAB>parent for every label"});
  }
  return Hierarchy(edges);
}

std::string to_tsv(const Hierarchy& hierarchy) {
  std::string text;
  for (LabelId id = 0; id < static_cast<LabelId>(hierarchy.num_labels()); ++id) {
    const std::string tail =
        hierarchy.description(id).empty() ? "\n" : "\t" + hierarchy.description(id) + "\n";
    if (hierarchy.parents(id).empty()) text += hierarchy.name(id) + "\t" + tail;
    for (const LabelId parent : hierarchy.parents(id)) {
      text += hierarchy.name(id) + "\t" + hierarchy.name(parent) + tail;
    }
  }
  return text;
}

Hierarchy hierarchy_from_paths(const std::vector<PlacedLabel>& labels) {
  std::vector<HierarchyEdge> edges;
  std::unordered_set<std::string_view> seen;
  for (const auto& [label, place] : labels) {
    for (std::size_t end = 0, begin = 0; end != std::string::npos; begin = end + 1) {
      end = label.find('/', begin);
      const std::string_view prefix = std::string_view(label).substr(0, end);
      if (prefix.size() == begin) {
        throw input_error(
            place, {"labels that are paths joined by /", "an empty step in " + in_quotes(label),
                    "mend the label, or add a hierarchy.tsv if / is part of names"});
      }
      if (!seen.insert(prefix).second) continue;
      edges.push_back({std::string(prefix),
                       begin == 0 ? std::string() : label.substr(0, begin - 1),
                       {},
                       place});
    }
  }
  return Hierarchy(edges);
}

}  // namespace hmtc
