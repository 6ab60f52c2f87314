#pragma once

#include <optional>
#include <string>
#include <vector>

namespace hmtc {

/// One line of a split file. Exactly one of text and tokens is present.
struct Document {
  std::string id;
  std::optional<std::string> text;
  std::optional<std::vector<std::string>> tokens;  ///< words without order, already separated
  std::vector<std::string> labels;                 ///< as the file has them, ancestors not added
};

}  // namespace hmtc
