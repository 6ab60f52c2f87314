#include "text/text_parts.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <cstdint>

namespace hmtc {
namespace {

bool is_separator(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

UChar32 first_point(std::string_view run) {
  UChar32 point;
  const std::string_view head = run.substr(0, U8_MAX_LENGTH);
  std::int32_t at = 0;
  U8_NEXT_OR_FFFD(head.data(), at, static_cast<std::int32_t>(head.size()), point);
  return point;
}

UChar32 last_point(std::string_view run) {
  UChar32 point;
  const std::string_view tail =
      run.substr(run.size() - std::min<std::size_t>(run.size(), U8_MAX_LENGTH));
  auto at = static_cast<std::int32_t>(tail.size());
  U8_PREV_OR_FFFD(tail.data(), 0, at, point);
  return point;
}

/// Whether a boundary stands between the run and the separators around it. ASCII never joins them.
bool stands_alone(std::string_view run) {
  const auto word_break = [](UChar32 point) {
    return point < 128 ? U_WB_OTHER : u_getIntPropertyValue(point, UCHAR_WORD_BREAK);
  };
  const int first = word_break(first_point(run));
  const int last = word_break(last_point(run));
  const bool joins_before =
      first == U_WB_EXTEND || first == U_WB_FORMAT || first == U_WB_ZWJ || first == U_WB_WSEGSPACE;
  return !joins_before && last != U_WB_WSEGSPACE;
}

}  // namespace

bool TextParts::next(std::string_view& part) {
  std::size_t begin = 0;
  while (begin < rest_.size() && is_separator(rest_[begin])) ++begin;
  std::size_t end = begin;
  while (end < rest_.size() && !is_separator(rest_[end])) ++end;
  if (begin == end) return false;
  part = rest_.substr(begin, end - begin);
  if (!stands_alone(part)) {
    part = rest_;
    end = rest_.size();
  }
  rest_.remove_prefix(end);
  return true;
}

}  // namespace hmtc
