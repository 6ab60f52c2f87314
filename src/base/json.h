#pragma once

#include <array>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

namespace hmtc {

/// So deep do the files of this program nest at most. Copying and printing JSON recurses, so that
/// deeper nesting would exhaust the stack.
constexpr int kMostJsonDepth = 16;

/// Parses with a bound on nesting; a key that an object has twice is refused. Throws std::exception
/// that says what is wrong. `Json` is one of nlohmann's.
template <typename Json>
Json parse_json(std::string_view text, bool comments = false) {
  using Event = typename Json::parse_event_t;
  std::array<std::set<std::string>, kMostJsonDepth + 2> keys;  // of the open objects, by depth
  const auto check = [&keys](int depth, Event event, Json& value) {
    if (depth > kMostJsonDepth) throw std::length_error("nested too deeply");
    const auto at = static_cast<std::size_t>(depth);
    if (event == Event::object_start) keys[at + 1].clear();
    if (event == Event::key && !keys[at].insert(value.template get<std::string>()).second)
      throw std::invalid_argument("the key " + value.dump() + " twice");
    return true;
  };
  return Json::parse(text, check, /*allow_exceptions=*/true, comments);
}

}  // namespace hmtc
