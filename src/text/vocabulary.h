#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/word_table.h"

namespace hmtc {

/// The words that a model knows. Ids: 0 padding, 1 unknown, then the words by descending count,
/// words of equal count in bytewise order. Safe to read from several threads.
///
/// The special ids are written "<pad>" and "<unk>". Should a data set have such a word (only given
/// tokens can, the tokenizer never makes one), it is treated as unknown, and so is the empty word.
class Vocabulary {
 public:
  static constexpr std::int32_t kPadding = 0;
  static constexpr std::int32_t kUnknown = 1;
  static constexpr std::size_t kNumSpecial = 2;

  /// Only the two special ids.
  Vocabulary();

  /// The id of a word, kUnknown when it is not there. Never kPadding.
  std::int32_t find(std::string_view word) const;

  /// The id must be one of this vocabulary.
  const std::string& word(std::int32_t id) const { return words_.word(id); }
  /// How often the word stood in the training texts; 0 for the special ids.
  std::uint64_t count(std::int32_t id) const { return counts_[static_cast<std::size_t>(id)]; }

  /// The number of ids, the two special ones included.
  std::size_t size() const { return words_.size(); }

  /// The text of vocabulary.txt: one line `word<TAB>count` per id in order, beginning with `<pad>`
  /// and `<unk>`, count 0. In a word, backslash, tab, newline and carriage return are written
  /// \\ \t \n \r.
  std::string to_text() const;

 private:
  friend class VocabularyBuilder;
  friend Vocabulary read_vocabulary(const std::string& path);
  void append(std::string_view word, std::uint64_t count);

  WordTable words_;  ///< the number of a word is its id
  std::vector<std::uint64_t> counts_;
};

/// Reads vocabulary.txt. Throws kModel with file and line for anything that to_text() does not
/// write (the order of the words is taken as it is), kIo.
Vocabulary read_vocabulary(const std::string& path);

/// Counts words.
class VocabularyBuilder {
 public:
  void add(std::string_view word, std::uint64_t count = 1);

  /// The words with at least `min_count` occurrences, and of these the `max_size` most frequent
  /// (0: all). The two special ids come on top.
  Vocabulary build(std::uint64_t min_count, std::size_t max_size) const;

 private:
  WordTable words_;
  std::vector<std::uint64_t> counts_;
};

}  // namespace hmtc
