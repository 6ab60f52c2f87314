#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "config/options.h"
#include "hmtc/document.h"

namespace hmtc {

/// A document's words.
struct SplitText {
  std::vector<std::int32_t> words;      ///< as numbers, in the order of the document
  std::vector<std::int32_t> sentences;  ///< words of each, if they were asked for and it is a text
};

/// The words of a document, and where they stand in text_of() it.
struct PlacedText : SplitText {
  std::vector<WordPlace> places;  ///< one per word
};

/// The text of a document; tokens are joined by a blank.
std::string text_of(const Document& document);

/// The words of documents as numbers: of tokenised text, or of the tokens themselves. It remembers
/// what it met lately, so one is to be kept for many documents. One per thread.
class WordSplitter {
 public:
  /// The number of a word; the same word must always get the same one.
  using Numbering = std::function<std::int32_t(std::string_view word)>;

  enum class Sentences { kIgnore, kFind };

  WordSplitter(const TextOptions& options, Numbering number,
               Sentences sentences = Sentences::kIgnore);
  ~WordSplitter();
  WordSplitter(const WordSplitter&) = delete;
  WordSplitter& operator=(const WordSplitter&) = delete;

  /// The first `most` words (0: all). The last sentence may be cut.
  SplitText split(const Document& document, std::size_t most);

  /// The same words, with their places; slower.
  PlacedText split_with_places(const Document& document, std::size_t most);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace hmtc
