#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "config/options.h"
#include "data/document.h"

namespace hmtc {

/// The words of documents as numbers: of tokenised text, or of the tokens themselves. It remembers
/// what it met lately, so one is to be kept for many documents. One per thread.
class WordSplitter {
 public:
  /// The number of a word; the same word must always get the same one.
  using Numbering = std::function<std::int32_t(std::string_view word)>;

  WordSplitter(const TextOptions& options, Numbering number);
  ~WordSplitter();
  WordSplitter(const WordSplitter&) = delete;
  WordSplitter& operator=(const WordSplitter&) = delete;

  /// In the order of the document, the first `most` of them (0: all).
  std::vector<std::int32_t> numbers(const Document& document, std::size_t most);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace hmtc
