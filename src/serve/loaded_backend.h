#pragma once

#include <filesystem>
#include <memory>

#include "serve/backend.h"

namespace hmtc {

/// Loads a model directory for the server. `threads` 0: as many as the machine has.
/// Throws kIo, kModel.
std::shared_ptr<ServedModel> load_served_model(const std::filesystem::path& directory, int threads);

}  // namespace hmtc
