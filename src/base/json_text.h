#pragma once

#include <string>
#include <string_view>

namespace hmtc {

/// Appends a text as a JSON string, quoted and escaped; what is not ASCII stays as it is. Building
/// a JSON value first and writing it then would take several times as long. Throws kInternal when
/// the text is not UTF-8, which its reader has to have checked.
void append_json_string(std::string& out, std::string_view text);

/// Appends the shortest decimal that reads back as the same float. Throws kInternal when it is not
/// finite.
void append_json_number(std::string& out, float value);

}  // namespace hmtc
