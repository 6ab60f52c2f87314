#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hierarchy/hierarchy.h"

namespace hmtc {

/// Reads hierarchy.tsv (docs/formats.md). Throws kInput with file and line, kIo.
Hierarchy read_hierarchy(const std::string& path);

/// The text of hierarchy.tsv: labels in the order of their ids, so that reading it back gives the
/// same ids.
std::string to_tsv(const Hierarchy& hierarchy);

/// A label, and where it occurs first.
struct PlacedLabel {
  std::string label;
  Place place;
};

/// The hierarchy that path labels ("cs/cs.LG") spell out: every prefix is a label.
/// Throws kInput for an empty step such as "a//b".
Hierarchy hierarchy_from_paths(const std::vector<PlacedLabel>& labels);

}  // namespace hmtc
