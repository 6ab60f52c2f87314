#include "explain/word_ranking.h"

#include <algorithm>
#include <cmath>

#include "explain/greatest_first.h"

namespace hmtc {

WordRanking ranking_by(std::span<const float> weights) { return greatest_first(weights); }

std::size_t count_of_share(double share, std::size_t num_words) {
  const auto count = static_cast<std::size_t>(std::ceil(share * static_cast<double>(num_words)));
  return std::clamp<std::size_t>(count, 1, std::max<std::size_t>(num_words, 1));
}

double top_apart(const WordRanking& a, const WordRanking& b, std::size_t count) {
  const auto end = b.begin() + static_cast<std::ptrdiff_t>(count);
  std::size_t apart = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (std::find(b.begin(), end, a[i]) == end) ++apart;
  }
  return static_cast<double>(apart) / static_cast<double>(count);
}

double rank_correlation(const WordRanking& a, const WordRanking& b) {
  const std::size_t count = a.size();
  if (count < 2) return 1;
  std::vector<double> rank_in_b(count);
  for (std::size_t rank = 0; rank < count; ++rank) rank_in_b[b[rank]] = static_cast<double>(rank);
  double squares = 0;
  for (std::size_t rank = 0; rank < count; ++rank) {
    const double difference = static_cast<double>(rank) - rank_in_b[a[rank]];
    squares += difference * difference;
  }
  const auto n = static_cast<double>(count);
  return 1 - 6 * squares / (n * (n * n - 1));
}

std::vector<std::size_t> without_top(const WordRanking& ranking, std::size_t count) {
  std::vector<std::size_t> words(ranking.begin() + static_cast<std::ptrdiff_t>(count),
                                 ranking.end());
  std::sort(words.begin(), words.end());
  return words;
}

std::vector<std::size_t> only_top(const WordRanking& ranking, std::size_t count) {
  std::vector<std::size_t> words(ranking.begin(),
                                 ranking.begin() + static_cast<std::ptrdiff_t>(count));
  std::sort(words.begin(), words.end());
  return words;
}

}  // namespace hmtc
