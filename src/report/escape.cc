#include "report/escape.h"

#include "base/strings.h"

namespace hmtc {

std::string html_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string markdown_escaped(std::string_view text) {
  constexpr std::string_view kSpecial = "\\`*_[]<>|#&~";
  std::string escaped;
  for (const char c : text) {
    if (c == '\n' || c == '\r') {
      escaped += ' ';
      continue;
    }
    if (kSpecial.find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string markdown_code(std::string_view text) {
  std::string block;
  for (const std::string_view line : split_fields(text, '\n')) {
    block += "    ";
    block += line;
    block += "\n";
  }
  return block;
}

}  // namespace hmtc
