#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string>

#include "base/strings.h"

namespace hmtc {

/// An empty value is likely a variable of the shell that is not set.
inline CLI::Validator not_empty() {
  const auto check = [](const std::string& text) -> std::string {
    return text.empty() ? "expected a value, found an empty one" : "";
  };
  return CLI::Validator(check, "");
}

/// For options that are whole numbers; says in one short line what was expected.
inline CLI::Validator whole_number_from(
    std::uint64_t least, std::uint64_t most = std::numeric_limits<std::int64_t>::max()) {
  const auto check = [least, most](const std::string& text) -> std::string {
    std::uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, failure] = std::from_chars(text.data(), end, number);
    if (failure == std::errc() && rest == end && number >= least && number <= most) return {};
    return fmt::format("expected a whole number from {}{}, found \"{}\"", least,
                       most < std::uint64_t{1} << 32 ? fmt::format(" to {}", most) : "", text);
  };
  return CLI::Validator(check, "");
}

/// For options that are numbers above 0.
inline CLI::Validator positive_number() {
  const auto check = [](const std::string& text) -> std::string {
    if (parse_number(text).value_or(0) > 0) return {};
    return fmt::format("expected a number above 0, found \"{}\"", text);
  };
  return CLI::Validator(check, "");
}

/// For options that are numbers, both ends included; "nan" and "inf" are none.
inline CLI::Validator number_from(double least, double most) {
  const auto check = [least, most](const std::string& text) -> std::string {
    const std::optional<double> number = parse_number(text);
    if (number && *number >= least && *number <= most) return {};
    return fmt::format("expected a number from {} to {}, found \"{}\"", least, most, text);
  };
  return CLI::Validator(check, "");
}

}  // namespace hmtc
