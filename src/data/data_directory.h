#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "hierarchy/hierarchy.h"

namespace hmtc {

/// A data directory as the user has it: the tree and the splits that exist.
struct DataDirectory {
  std::filesystem::path path;
  Hierarchy hierarchy;
  bool has_hierarchy_file = false;
  std::string train;
  std::optional<std::string> validation;
  std::optional<std::string> test;
};

/// Opens a data directory: reads hierarchy.tsv or, without one, spells the tree out of the path
/// labels of all splits. Throws kIo when there is no such directory or no train.jsonl, kInput.
DataDirectory open_data_directory(const std::filesystem::path& path);

}  // namespace hmtc
