#pragma once

#include <stdexcept>
#include <string_view>

namespace hmtc {

/// So deep do the files of this program nest at most. Copying and printing JSON recurses, so that
/// deeper nesting would exhaust the stack.
constexpr int kMostJsonDepth = 16;

/// Parses with a bound on nesting. Throws std::exception that says what is wrong. `Json` is one of
/// nlohmann's.
template <typename Json>
Json parse_json(std::string_view text, bool comments = false) {
  const auto no_deeper = [](int depth, typename Json::parse_event_t /*event*/, Json& /*value*/) {
    if (depth > kMostJsonDepth) throw std::length_error("nested too deeply");
    return true;
  };
  return Json::parse(text, no_deeper, /*allow_exceptions=*/true, comments);
}

}  // namespace hmtc
