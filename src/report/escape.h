#pragma once

#include <string>
#include <string_view>

namespace hmtc {

/// Text for HTML and SVG, between tags and inside quoted attributes.
std::string html_escaped(std::string_view text);

/// Text for a line or a table cell of Markdown, shown as it stands; line breaks become blanks.
std::string markdown_escaped(std::string_view text);

/// A block of code for Markdown, indented, so that no fence inside it can end it.
std::string markdown_code(std::string_view text);

}  // namespace hmtc
