#pragma once

#include <filesystem>

#include "hmtc/error.h"

namespace hmtc {

/// Calls work, and makes of what the standard library says of files what the contract of the API
/// says.
template <typename Work>
auto at_boundary(const Work& work) {
  try {
    return work();
  } catch (const std::filesystem::filesystem_error& error) {
    throw Error(ErrorKind::kIo, error.what());
  }
}

}  // namespace hmtc
