#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hmtc {

/// The fields between the separators; the empty text has one empty field.
std::vector<std::string_view> split_fields(std::string_view text, char separator);

/// The runs between blanks and tabs, none of them empty.
std::vector<std::string_view> split_words(std::string_view text);

/// Without ASCII white space at both ends.
std::string_view trim(std::string_view text);

/// ASCII letters in lower case.
std::string lower_ascii(std::string_view text);

/// The whole text as a finite number, or nothing.
std::optional<double> parse_number(std::string_view text);

bool is_utf8(std::string_view text);

/// Whether the text is one or more ASCII digits.
bool is_digits(std::string_view text);

}  // namespace hmtc
