#pragma once

#include <span>
#include <string_view>

namespace hmtc {

/// A file of the page, embedded when the program is built.
struct EmbeddedFile {
  std::string_view name;  ///< without a folder
  std::string_view content;
  std::string_view etag;  ///< quoted
};

/// The files that web/CMakeLists.txt lists.
std::span<const EmbeddedFile> web_files();

/// The description of the interface (src/serve/openapi.json).
std::string_view openapi_json();

/// By the name's ending.
std::string_view content_type_of(std::string_view name);

}  // namespace hmtc
