#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "linear/sparse_matrix.h"

namespace hmtc {

/// Two words that stand side by side in a text.
struct WordPair {
  std::int32_t first = 0;
  std::int32_t second = 0;

  auto operator<=>(const WordPair&) const = default;
};

/// Different pairs, numbered from 0 in the order of their coming. A table with open addressing: a
/// pair that is not there, as most of a text's are not, is told by one place in memory. At most 70
/// bytes per pair. Safe to read from several threads.
class PairTable {
 public:
  static constexpr std::int32_t kNone = -1;

  std::size_t size() const { return size_; }

  /// The number of a pair, or kNone. Both words must be at least 1, here and below.
  std::int32_t find(WordPair pair) const;

  /// The same; a pair that is not there gets the next number.
  std::int32_t add(WordPair pair);

  /// The pairs by their numbers.
  std::vector<WordPair> pairs() const;

 private:
  struct Slot {
    WordPair pair;  ///< (0, 0): free
    std::int32_t number = kNone;
  };

  std::size_t place_of(WordPair pair) const;
  void grow();

  std::vector<Slot> slots_ = std::vector<Slot>(16);  ///< always a power of two, at most half filled
  std::size_t size_ = 0;
};

/// A pair and how many documents hold it.
struct PairCount {
  WordPair pair;
  std::size_t documents = 0;
};

/// The pairs of neighbouring words, both at least `first_word`, that at least two documents hold:
/// of these the `most` that most documents hold, the most frequent first, equals in the order of
/// their ids.
std::vector<PairCount> frequent_pairs(const IdRows& documents, std::int32_t first_word,
                                      std::size_t most);

/// Calls visit(pair) for every two words side by side that are both at least `first_word`.
template <typename Visit>
void visit_neighbours(std::span<const std::int32_t> words, std::int32_t first_word,
                      const Visit& visit) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i - 1] >= first_word && words[i] >= first_word)
      visit(WordPair{words[i - 1], words[i]});
  }
}

}  // namespace hmtc
