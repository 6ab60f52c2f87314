#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/word_table.h"
#include "text/word_vector_rows.h"

namespace hmtc {

/// The pieces of a word that stands between its marks, "<word>": all stretches of 3 to 6 code
/// points. One that occurs twice is given twice. They point into `marked`.
std::vector<std::string_view> pieces_of(std::string_view marked);

/// How much a piece of `length` code points counts that `frequency` (at least 1) of `num_words`
/// words contain: n⁴ · ln((1 + words) / (1 + f))² · f / (f + 3). Long and rare pieces say most, but
/// the mean of one or two words' vectors says little.
double piece_weight(std::size_t length, std::size_t frequency, std::size_t num_words);

/// Makes vectors for the words of a vocabulary that a file of vectors does not have, from the
/// file's words that share pieces with them; to be shown all rows of the file. A piece's vector is
/// the mean over the rows whose words contain it; a word's is the mean of its pieces', weighted by
/// piece_weight(), and as long as the vectors that were found are on average. Holds the pieces of
/// the missing words and a vector for each.
class SubwordVectors : public WordVectorSink {
 public:
  /// `vectors` is what the file gave for the vocabulary; both must outlive this.
  SubwordVectors(const Vocabulary& vocabulary, WordVectors& vectors);

  void begin(std::size_t width) override;
  std::span<float> claim(std::string_view word) override;
  void filled() override;

  /// After all rows. Words without a piece that the file knows stay without a vector.
  void compose();

 private:
  void find_pieces(std::string_view word);
  bool compose_word(std::size_t id, double length);

  const Vocabulary& vocabulary_;
  WordVectors& vectors_;
  WordTable pieces_;
  std::vector<float> sums_;                 ///< per piece, a vector
  std::vector<std::uint32_t> frequencies_;  ///< per piece, rows whose words contain it
  std::size_t num_rows_ = 0;
  std::vector<float> row_;                ///< of the word claimed last
  std::string marked_;                    ///< the word looked at last
  std::vector<std::int32_t> its_pieces_;  ///< and those of its pieces that pieces_ has
};

}  // namespace hmtc
