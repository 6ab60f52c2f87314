#include "config/field.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.h"
#include "base/strings.h"

namespace hmtc {
namespace {

constexpr const char* kAuto = "auto";

template <typename... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <typename... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

Error refusal(const Field& field, const std::string& text) {
  return {ErrorKind::kUsage,
          fmt::format("configuration key {}: expected {}, found {}; see `hmtc config`", field.key,
                      accepted(field), in_quotes(text))};
}

template <typename Number>
Number parse_number(const Field& field, const std::string& text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [rest, code] = std::from_chars(text.data(), end, value);
  const auto number = static_cast<double>(value);
  if (code != std::errc() || rest != end || !std::isfinite(number) || number < field.least ||
      number > field.most) {
    throw refusal(field, text);
  }
  return value;
}

/// The items between commas, without blanks around them. The last may have a comma behind it.
std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> items;
  for (const std::string_view field : split_fields(text, ',')) items.emplace_back(trim(field));
  if (!items.empty() && items.back().empty()) items.pop_back();
  return items;
}

}  // namespace

std::string to_text(const Field& field) {
  return std::visit(
      Overloaded{[](const std::int64_t* value) { return fmt::format("{}", *value); },
                 [](const std::optional<std::int64_t>* value) {
                   return *value ? fmt::format("{}", **value) : std::string(kAuto);
                 },
                 [](const double* value) { return fmt::format("{}", *value); },
                 [](const bool* value) { return std::string(*value ? "true" : "false"); },
                 [](const std::vector<std::string>* value) {
                   return fmt::format("{}", fmt::join(*value, ","));
                 },
                 [](const std::vector<double>* value) {
                   return fmt::format("{}", fmt::join(*value, ","));
                 },
                 [](const Choice& value) { return value.names[value.get()]; }},
      field.value);
}

std::string accepted(const Field& field) {
  const std::string range = fmt::format("{} to {}", field.least, field.most);
  return std::visit(
      Overloaded{
          [&](const std::int64_t*) { return range; },
          [&](const std::optional<std::int64_t>*) { return fmt::format("{}, {}", kAuto, range); },
          [&](const double*) { return range; },
          [](const bool*) { return std::string("true, false"); },
          [](const std::vector<std::string>*) { return std::string("words joined by commas"); },
          [&](const std::vector<double>*) {
            return fmt::format("numbers of {}, joined by commas", range);
          },
          [](const Choice& value) { return fmt::format("{}", fmt::join(value.names, ", ")); }},
      field.value);
}

void set_from_text(Field& field, const std::string& text) {
  std::visit(
      Overloaded{[&](std::int64_t* value) { *value = parse_number<std::int64_t>(field, text); },
                 [&](std::optional<std::int64_t>* value) {
                   *value = text == kAuto ? std::nullopt
                                          : std::optional(parse_number<std::int64_t>(field, text));
                 },
                 [&](double* value) { *value = parse_number<double>(field, text); },
                 [&](bool* value) {
                   if (text != "true" && text != "false") throw refusal(field, text);
                   *value = text == "true";
                 },
                 [&](std::vector<std::string>*) { set_from_items(field, split_list(text)); },
                 [&](std::vector<double>*) { set_from_items(field, split_list(text)); },
                 [&](const Choice& value) {
                   const auto found = std::find(value.names.begin(), value.names.end(), text);
                   if (found == value.names.end()) throw refusal(field, text);
                   value.set(static_cast<std::size_t>(found - value.names.begin()));
                 }},
      field.value);
}

void set_from_items(Field& field, const std::vector<std::string>& items) {
  if (auto* const words = std::get_if<std::vector<std::string>*>(&field.value)) {
    for (const std::string& item : items) {
      if (item.empty() || !is_utf8(item)) throw refusal(field, item);
    }
    **words = items;
  } else if (auto* const list = std::get_if<std::vector<double>*>(&field.value)) {
    std::vector<double> numbers;
    for (const std::string& item : items) numbers.push_back(parse_number<double>(field, item));
    if (numbers.empty()) throw refusal(field, "");
    **list = numbers;
  } else if (items.size() == 1) {
    set_from_text(field, items.front());
  } else {
    throw refusal(field, fmt::format("{}", fmt::join(items, ",")));
  }
}

}  // namespace hmtc
