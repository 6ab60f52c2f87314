#pragma once

#include <string>

namespace hmtc {

/// The answer of GET /v1/examples: the first documents with text of a JSON lines file, at most 20;
/// none for an empty path. Throws kIo, kInput.
std::string examples_json(const std::string& path);

}  // namespace hmtc
