#pragma once

#include <span>
#include <string>
#include <string_view>

#include "text/word_vectors.h"

namespace hmtc {

/// Gathers the rows that a reader of one of the formats meets.
class WordVectorRows {
 public:
  /// `width` must have been seen in a row: memory is taken for the whole table here.
  WordVectorRows(const Vocabulary& vocabulary, std::size_t width);

  /// Counts a row of the file. Gives where its numbers go, nothing when they are not wanted.
  std::span<float> claim(std::string_view word);

  WordVectors finish() &&;

 private:
  const Vocabulary& vocabulary_;
  WordVectors vectors_;
};

/// The reader of the JSON format.
WordVectors load_json_word_vectors(const std::string& path, const Vocabulary& vocabulary);

}  // namespace hmtc
