#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace hmtc {

/// An enumerator behind its names: the i-th choice is the enumerator with value i.
struct Choice {
  std::function<std::size_t()> get;
  std::function<void(std::size_t)> set;
  std::vector<std::string> names;
};

/// One configuration key bound to a member of an options struct. The list of these that a struct
/// gives drives parsing, --set, the dump, range checks and the documentation.
struct Field {
  /// A number that may be absent is "auto": a run finds it from its data.
  using Value = std::variant<std::int64_t*, std::optional<std::int64_t>*, double*, bool*,
                             std::vector<std::string>*, std::vector<double>*, Choice>;

  std::string key;
  Value value;
  double least = 0;  ///< of numbers, and of every number in a list
  double most = 0;
  std::string meaning;
};

template <typename Enum>
Choice choice(Enum& member, std::vector<std::string> names) {
  return {[&member] { return static_cast<std::size_t>(member); },
          [&member](std::size_t index) { member = static_cast<Enum>(index); }, std::move(names)};
}

/// The value as a user would write it behind "key=".
std::string to_text(const Field& field);

/// What the field accepts: "0 to 1", "paper, reference", "true, false".
std::string accepted(const Field& field);

/// Sets the value from a user's text. Throws kUsage when it does not parse or is out of range.
void set_from_text(Field& field, const std::string& text);

/// The same for a list whose items may hold commas; another field takes one item.
void set_from_items(Field& field, const std::vector<std::string>& items);

}  // namespace hmtc
