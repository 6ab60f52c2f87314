#pragma once

#include <string_view>

namespace hmtc {

/// Cuts a text at white space into parts whose words do not depend on what stands around them: the
/// words of the parts, one after the other, are the words of the text. Most parts are one word with
/// its punctuation, and most of those have been met before, so that a word need not be looked for
/// each time it occurs.
///
/// The rules of Unicode (UAX #29) look across a space only for characters that belong to the one
/// before them, such as an accent of its own after a space; from there on the text is one part.
class TextParts {
 public:
  explicit TextParts(std::string_view text) : rest_(text) {}

  /// The next part, without white space around it unless it matters; false at the end.
  bool next(std::string_view& part);

 private:
  std::string_view rest_;
};

}  // namespace hmtc
