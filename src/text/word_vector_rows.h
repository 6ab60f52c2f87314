#pragma once

#include <span>
#include <string>
#include <string_view>

#include "text/word_vectors.h"

namespace hmtc {

/// Who takes the rows that a reader of one of the formats meets.
class WordVectorSink {
 public:
  virtual ~WordVectorSink() = default;

  /// Comes once, before the first row; `width` has been seen in a row.
  virtual void begin(std::size_t width) = 0;
  /// A row of the file. Gives where its numbers go, nothing when they are not wanted.
  virtual std::span<float> claim(std::string_view word) = 0;
  /// The numbers of the row claimed last are there.
  virtual void filled() {}
};

/// Gathers the vectors of a vocabulary's words.
class WordVectorRows : public WordVectorSink {
 public:
  explicit WordVectorRows(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  void begin(std::size_t width) override;
  std::span<float> claim(std::string_view word) override;

  WordVectors finish() &&;

 private:
  const Vocabulary& vocabulary_;
  WordVectors vectors_;
};

/// The reader of the JSON format.
void read_json_word_vectors(const std::string& path, WordVectorSink& sink);

}  // namespace hmtc
