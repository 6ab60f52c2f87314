#include "data/word_rarity.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "text/vocabulary.h"

namespace hmtc {
namespace {

struct WordCounts {
  std::vector<double> documents;  ///< that hold the word
  std::vector<double> places;
};

WordCounts count_words(const Corpus& corpus, std::size_t vocabulary_size) {
  WordCounts counts{std::vector<double>(vocabulary_size), std::vector<double>(vocabulary_size)};
  std::vector<std::size_t> last_seen(vocabulary_size, corpus.size());  // in no document
  for (std::size_t document = 0; document < corpus.size(); ++document) {
    for (const std::int32_t id : corpus.words_of(document)) {
      const auto word = static_cast<std::size_t>(id);
      counts.places[word] += 1;
      if (last_seen[word] == document) continue;
      last_seen[word] = document;
      counts.documents[word] += 1;
    }
  }
  return counts;
}

}  // namespace

std::vector<float> word_rarity(const Corpus& corpus, std::size_t vocabulary_size) {
  const WordCounts counts = count_words(corpus, vocabulary_size);
  const auto n = static_cast<double>(corpus.size());
  std::vector<double> idf(vocabulary_size);
  double places = 0, sum = 0, squares = 0;
  for (std::size_t word = Vocabulary::kNumSpecial; word < vocabulary_size; ++word) {
    idf[word] = std::log((1 + n) / (1 + counts.documents[word])) + 1;
    places += counts.places[word];
    sum += counts.places[word] * idf[word];
  }
  const double mean = places > 0 ? sum / places : 0;
  for (std::size_t word = Vocabulary::kNumSpecial; word < vocabulary_size; ++word) {
    squares += counts.places[word] * (idf[word] - mean) * (idf[word] - mean);
  }
  const double deviation = places > 0 ? std::sqrt(squares / places) : 0;
  std::vector<float> rarity(vocabulary_size);
  constexpr double kNone = 1e-6;  // equally rare words differ by rounding alone
  if (deviation < kNone) return rarity;
  for (std::size_t word = Vocabulary::kNumSpecial; word < vocabulary_size; ++word) {
    rarity[word] = static_cast<float>((idf[word] - mean) / deviation);
  }
  return rarity;
}

}  // namespace hmtc
