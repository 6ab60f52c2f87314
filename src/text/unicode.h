#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace hmtc {

/// Where the first sequence that is not UTF-8 begins, as a byte offset; nothing when all is well.
std::optional<std::size_t> first_invalid_utf8(std::string_view text);

/// A text that a terminal or JSON may be given: bytes that are not UTF-8, and control characters
/// other than line ends and tabs, become U+FFFD, so that nobody's text moves the cursor or changes
/// colours.
std::string printable(std::string_view text);

/// The form in which words are compared and counted:
///  1. default-ignorable code points go (soft hyphen, zero-width joiner and non-joiner, word
///  joiner,
///     byte order mark, variation selectors, ...),
///  2. NFC, then full Unicode case folding (never the Turkish one), then NFC again.
/// "Stra\u00ADße" and "STRASSE" both become "strasse"; "İ" becomes "i" with a combining dot.
/// Bytes that are not UTF-8 become U+FFFD.
std::string fold_word(std::string_view word);

}  // namespace hmtc
