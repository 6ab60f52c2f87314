#include "base/json_text.h"

#include <fmt/format.h>

#include <cmath>

#include "base/strings.h"
#include "hmtc/error.h"

namespace hmtc {
namespace {

bool needs_escape(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

void append_escaped(std::string& out, char c) {
  constexpr std::string_view kPlain = "\"\\\b\f\n\r\t";
  constexpr std::string_view kLetters = "\"\\bfnrt";
  if (const std::size_t at = kPlain.find(c); at != std::string_view::npos) {
    out += '\\';
    out += kLetters[at];
  } else {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned char>(c));
  }
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  if (!is_utf8(text)) throw Error(ErrorKind::kInternal, "a text that is not UTF-8 for JSON");
  out += '"';
  std::size_t written = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!needs_escape(text[i])) continue;
    out.append(text, written, i - written);
    append_escaped(out, text[i]);
    written = i + 1;
  }
  out.append(text, written);
  out += '"';
}

void append_json_number(std::string& out, float value) {
  if (!std::isfinite(value))
    throw Error(ErrorKind::kInternal, "a number that is not finite for JSON");
  fmt::format_to(std::back_inserter(out), "{}", value);
}

}  // namespace hmtc
