#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hmtc {

/// What is to be classified, or is learnt from. Exactly one of text and tokens is present.
struct Document {
  std::string id;                                  ///< free; may be empty
  std::optional<std::string> text;                 ///< UTF-8; other bytes count as punctuation
  std::optional<std::vector<std::string>> tokens;  ///< words without order, already separated
  std::vector<std::string> labels;                 ///< true ones; their ancestors are implied

  static Document of_text(std::string text) { return {{}, std::move(text), {}, {}}; }
  static Document of_words(std::vector<std::string> words) {
    return {{}, {}, std::move(words), {}};
  }
};

/// The bytes of a document's text that a word covers: [begin, end). Of tokens the text is what
/// blanks between them make of them.
struct WordPlace {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool operator==(const WordPlace&) const = default;
};

}  // namespace hmtc
