#include "import/taxonomy.h"

#include <simdjson.h>

#include <unordered_set>

#include "base/line_reader.h"
#include "base/strings.h"

namespace hmtc {
namespace {

struct TaxonomyLine {
  std::string parent;
  std::vector<std::string> children;
  Place place;
};

std::vector<TaxonomyLine> read_lines(const std::string& path) {
  LineReader reader(path);
  std::vector<TaxonomyLine> lines;
  std::string_view line;
  while (reader.next(line)) {
    if (trim(line).empty()) continue;
    if (!simdjson::validate_utf8(line.data(), line.size())) {
      throw input_error(reader.place(),
                        {"UTF-8", "bytes that are not", "convert the file to UTF-8 (iconv)"});
    }
    TaxonomyLine entry{{}, {}, reader.place()};
    for (const std::string_view field : split_fields(line, '\t')) {
      const std::string_view name = trim(field);
      if (name.empty()) {
        throw input_error(reader.place(), {"parent<TAB>child<TAB>child…",
                                           "an empty column in " + in_quotes(std::string(line)),
                                           "separate the labels by one tab each"});
      }
      if (entry.parent.empty()) {
        entry.parent = name;
      } else {
        entry.children.emplace_back(name);
      }
    }
    lines.push_back(std::move(entry));
  }
  if (lines.empty()) {
    throw input_error({path}, {"at least one line parent<TAB>child", "an empty file",
                               "name the file that holds the taxonomy"});
  }
  return lines;
}

}  // namespace

EdgeCollector read_taxonomy(const std::string& path, Notes& notes) {
  const std::vector<TaxonomyLine> lines = read_lines(path);
  std::unordered_set<std::string> children;
  for (const TaxonomyLine& line : lines) {
    for (const std::string& child : line.children) {
      if (child != line.parent) children.insert(child);
    }
  }
  EdgeCollector edges;
  for (const TaxonomyLine& line : lines) {
    const bool is_top = !children.contains(line.parent);
    const bool is_root = is_top && line.parent == "Root";
    if (is_top && !is_root) edges.add(line.parent, "", line.place);
    for (const std::string& child : line.children) {
      if (child == line.parent) {
        notes.repaired("taxonomy lines with a label under itself, ignored", line.place);
        continue;
      }
      edges.add(child, is_root ? "" : line.parent, line.place);
    }
  }
  return edges;
}

}  // namespace hmtc
