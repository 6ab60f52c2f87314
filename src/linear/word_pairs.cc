#include "linear/word_pairs.h"

#include <algorithm>
#include <bit>

namespace hmtc {
namespace {

std::uint64_t key_of(WordPair pair) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(pair.first)) << 32 |
         static_cast<std::uint32_t>(pair.second);
}

}  // namespace

/// Where the pair is, or the free slot where it would be.
std::size_t PairTable::place_of(WordPair pair) const {
  const std::size_t mask = slots_.size() - 1;
  // Fibonacci hashing: the upper bits of the product depend on all bits of the key.
  std::size_t place = key_of(pair) * 0x9E3779B97F4A7C15U >> (65 - std::bit_width(slots_.size()));
  while (slots_[place].number != kNone && slots_[place].pair != pair) place = (place + 1) & mask;
  return place;
}

std::int32_t PairTable::find(WordPair pair) const { return slots_[place_of(pair)].number; }

std::int32_t PairTable::add(WordPair pair) {
  Slot& slot = slots_[place_of(pair)];
  if (slot.number != kNone) return slot.number;
  const auto number = static_cast<std::int32_t>(size_++);
  slot = {pair, number};
  if (2 * size_ > slots_.size()) grow();
  return number;
}

void PairTable::grow() {
  std::vector<Slot> old(2 * slots_.size());
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.number != kNone) slots_[place_of(slot.pair)] = slot;
  }
}

std::vector<WordPair> PairTable::pairs() const {
  std::vector<WordPair> pairs(size_);
  for (const Slot& slot : slots_) {
    if (slot.number != kNone) pairs[static_cast<std::size_t>(slot.number)] = slot.pair;
  }
  return pairs;
}

std::vector<PairCount> frequent_pairs(const IdRows& documents, std::int32_t first_word,
                                      std::size_t most) {
  if (most == 0) return {};
  PairTable table;
  std::vector<std::uint32_t> counts;     // by number
  std::vector<std::uint32_t> last_seen;  // by number: the document, counted from 1
  for (std::size_t i = 0; i < documents.num_rows(); ++i) {
    visit_neighbours(documents.row(i), first_word, [&](WordPair pair) {
      const auto number = static_cast<std::size_t>(table.add(pair));
      if (number == counts.size()) {
        counts.push_back(0);
        last_seen.push_back(0);
      }
      const auto document = static_cast<std::uint32_t>(i + 1);
      counts[number] += last_seen[number] != document ? 1 : 0;
      last_seen[number] = document;
    });
  }
  std::vector<PairCount> frequent;
  const std::vector<WordPair> pairs = table.pairs();
  for (std::size_t number = 0; number < pairs.size(); ++number) {
    if (counts[number] >= 2) frequent.push_back({pairs[number], counts[number]});
  }
  const auto before = [](const PairCount& a, const PairCount& b) {
    return a.documents != b.documents ? a.documents > b.documents : a.pair < b.pair;
  };
  const auto end = frequent.begin() + static_cast<std::ptrdiff_t>(std::min(most, frequent.size()));
  std::nth_element(frequent.begin(), end, frequent.end(), before);
  frequent.erase(end, frequent.end());
  std::sort(frequent.begin(), frequent.end(), before);
  return frequent;
}

}  // namespace hmtc
