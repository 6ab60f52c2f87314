#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace hmtc {

/// How often bytes were taken for what they claim to be. A seed that nothing takes would teach the
/// fuzzer little; run_files.cc looks for it.
inline int num_accepted = 0;

/// Calls what reads a fuzzer's bytes. It may refuse them with an error of these kinds; any other
/// exception leaves, which ends the program, and the fuzzer keeps the bytes.
template <typename Read>
void read_or_refuse(std::initializer_list<ErrorKind> kinds, const Read& read) {
  try {
    read();
    ++num_accepted;
  } catch (const Error& error) {
    if (std::find(kinds.begin(), kinds.end(), error.kind()) == kinds.end()) throw;
  }
}

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Two files in one input, with a line "%%%%" between them; without it the second is empty.
inline std::pair<std::string_view, std::string_view> two_files(std::string_view input) {
  constexpr std::string_view kBetween = "\n%%%%\n";
  const std::size_t end = input.find(kBetween);
  if (end == std::string_view::npos) return {input, {}};
  return {input.substr(0, end + 1), input.substr(end + kBetween.size())};
}

}  // namespace hmtc
