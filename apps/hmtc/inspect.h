#pragma once

#include <filesystem>
#include <string>

namespace hmtc {

struct InspectOptions {
  bool json = false;
  bool whole_tree = false;
};

/// What a data directory or a model directory holds, as text or JSON. Throws kIo, kInput, kModel.
std::string inspect(const std::filesystem::path& path, const InspectOptions& options);

}  // namespace hmtc
