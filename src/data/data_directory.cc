#include "data/data_directory.h"

#include <fmt/format.h>

#include <unordered_set>

#include "data/jsonl_reader.h"
#include "data/line_pieces.h"
#include "hierarchy/hierarchy_file.h"

namespace hmtc {
namespace fs = std::filesystem;
namespace {

std::optional<std::string> split_file(const fs::path& directory, const char* name) {
  const fs::path path = directory / name;
  return fs::exists(path) ? std::optional(path.string()) : std::nullopt;
}

/// The labels of a piece of a file, each where it occurs first.
std::vector<PlacedLabel> labels_of(const LinePiece& piece) {
  DocumentParser parser(DocumentParser::Labels::kRequired);
  std::vector<PlacedLabel> labels;
  std::unordered_set<std::string> seen;
  for (const Line& line : piece.lines) {
    for (std::string& label : parser.parse(line.text, line.place).labels) {
      if (seen.insert(label).second) labels.push_back({std::move(label), line.place});
    }
  }
  return labels;
}

Hierarchy spell_out_hierarchy(const std::vector<std::string>& files) {
  std::vector<PlacedLabel> labels;
  std::unordered_set<std::string> seen;
  for (const std::string& file : files) {
    for_each_piece<std::vector<PlacedLabel>>(file, hardware_threads(), labels_of,
                                             [&](std::vector<PlacedLabel>&& found) {
                                               for (PlacedLabel& label : found) {
                                                 if (seen.insert(label.label).second)
                                                   labels.push_back(std::move(label));
                                               }
                                             });
  }
  if (labels.empty()) {
    throw input_error({files.front()}, {"labels in the documents", "none",
                                        "give the documents labels, or add a hierarchy.tsv"});
  }
  return hierarchy_from_paths(labels);
}

}  // namespace

DataDirectory open_data_directory(const fs::path& path) {
  const std::string advice = "make one with `hmtc import` (docs/formats.md describes it)";
  if (!fs::is_directory(path)) {
    throw Error(ErrorKind::kIo,
                fmt::format("{}: expected a data directory, found {}; {}", path.string(),
                            fs::exists(path) ? "a file" : "nothing", advice));
  }
  const auto train = split_file(path, "train.jsonl");
  if (!train) {
    throw Error(ErrorKind::kIo,
                fmt::format("{}: expected a train.jsonl, found none; {}", path.string(), advice));
  }
  const auto validation = split_file(path, "val.jsonl");
  const auto test = split_file(path, "test.jsonl");
  const fs::path hierarchy_file = path / "hierarchy.tsv";
  const bool has_hierarchy_file = fs::exists(hierarchy_file);
  std::vector<std::string> files = {*train};
  if (validation) files.push_back(*validation);
  if (test) files.push_back(*test);
  return {path,
          has_hierarchy_file ? read_hierarchy(hierarchy_file.string()) : spell_out_hierarchy(files),
          has_hierarchy_file,
          *train,
          validation,
          test};
}

}  // namespace hmtc
