#include "text/unicode.h"

#include <simdjson.h>
#include <unicode/bytestream.h>
#include <unicode/casemap.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>

#include "text/icu_check.h"

namespace hmtc {
namespace {

icu::StringPiece piece(std::string_view text) {
  return {text.data(), static_cast<std::int32_t>(text.size())};
}

/// The step of fold_word() that ICU has no call for; makes the rest valid UTF-8 too.
std::string without_ignorables(std::string_view word) {
  std::string kept;
  kept.reserve(word.size());
  const auto size = static_cast<std::int32_t>(word.size());
  for (std::int32_t begin = 0, end = 0; begin < size; begin = end) {
    UChar32 point;
    U8_NEXT(word.data(), end, size, point);
    if (point < 0) {
      kept += "\uFFFD";
    } else if (!u_hasBinaryProperty(point, UCHAR_DEFAULT_IGNORABLE_CODE_POINT)) {
      kept.append(word, static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    }
  }
  return kept;
}

std::string nfc(std::string_view text) {
  UErrorCode code = U_ZERO_ERROR;
  const icu::Normalizer2* normalizer = icu::Normalizer2::getNFCInstance(code);
  check_icu(code);
  std::string result;
  icu::StringByteSink<std::string> sink(&result, static_cast<std::int32_t>(text.size()));
  normalizer->normalizeUTF8(0, piece(text), sink, nullptr, code);
  check_icu(code);
  return result;
}

std::string case_folded(std::string_view text) {
  UErrorCode code = U_ZERO_ERROR;
  std::string result;
  icu::StringByteSink<std::string> sink(&result, static_cast<std::int32_t>(text.size()));
  icu::CaseMap::utf8Fold(U_FOLD_CASE_DEFAULT, piece(text), sink, nullptr, code);
  check_icu(code);
  return result;
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; });
}

}  // namespace

std::optional<std::size_t> first_invalid_utf8(std::string_view text) {
  if (simdjson::validate_utf8(text.data(), text.size())) return std::nullopt;
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end) {
    UChar32 point;
    U8_NEXT(text.data(), end, text.size(), point);
    if (point < 0) return begin;
  }
  return std::nullopt;
}

std::string fold_word(std::string_view word) {
  if (!is_ascii(word)) return nfc(case_folded(nfc(without_ignorables(word))));
  // Most words of most texts: ASCII is in NFC, holds nothing ignorable, and folds byte by byte.
  std::string folded(word);
  for (char& c : folded) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return folded;
}

std::string printable(std::string_view text) {
  std::string safe;
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end) {
    UChar32 point;
    U8_NEXT(text.data(), end, text.size(), point);
    const bool is_control = point < 0x20 || (point >= 0x7F && point <= 0x9F);  // bad bytes are < 0
    const bool is_replaced = is_control && point != '\n' && point != '\t';
    safe += is_replaced ? "\uFFFD" : text.substr(begin, end - begin);
  }
  return safe;
}

}  // namespace hmtc
