#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace hmtc {

/// Different words, numbered from 0 in the order of their coming. A table with open addressing:
/// looking a word up touches two places in memory, where std::unordered_map touches a chain of
/// them. Safe to read from several threads.
class WordTable {
 public:
  static constexpr std::int32_t kNone = -1;

  WordTable() : slots_(kFirstSize) {}

  std::size_t size() const { return words_.size(); }
  /// The number must be one of this table.
  const std::string& word(std::int32_t number) const {
    return words_[static_cast<std::size_t>(number)];
  }

  /// The number of a word, or kNone.
  std::int32_t find(std::string_view word) const {
    return slots_[place_of(word, hash_of(word))].number;
  }

  /// The same; a word that is not there gets the next number.
  std::int32_t add(std::string_view word) {
    const std::uint32_t hash = hash_of(word);
    const std::size_t place = place_of(word, hash);
    if (slots_[place].number != kNone) return slots_[place].number;
    const auto number = static_cast<std::int32_t>(words_.size());
    slots_[place] = {hash, number};
    words_.emplace_back(word);
    if (2 * words_.size() > slots_.size()) grow();
    return number;
  }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::int32_t number = kNone;
  };
  static constexpr std::size_t kFirstSize = 16;  // always a power of two, at most half filled

  static std::uint32_t hash_of(std::string_view word) {
    return static_cast<std::uint32_t>(std::hash<std::string_view>{}(word));
  }

  /// Where the word is, or the free slot where it would be.
  std::size_t place_of(std::string_view word, std::uint32_t hash) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t place = hash & mask;
    while (slots_[place].number != kNone &&
           (slots_[place].hash != hash || this->word(slots_[place].number) != word)) {
      place = (place + 1) & mask;
    }
    return place;
  }

  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    const std::size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.number == kNone) continue;
      std::size_t place = slot.hash & mask;
      while (slots_[place].number != kNone) place = (place + 1) & mask;
      slots_[place] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::vector<std::string> words_;
};

}  // namespace hmtc
