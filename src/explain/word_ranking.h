#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace hmtc {

/// The numbers of words in some order.
using WordRanking = std::vector<std::size_t>;

/// The heaviest first; of equal weight the earlier.
WordRanking ranking_by(std::span<const float> weights);

/// How many words a share of them is: at least one, at most all.
std::size_t count_of_share(double share, std::size_t num_words);

/// Which part of the first `count` words of one ranking is not among those of the other.
double top_apart(const WordRanking& a, const WordRanking& b, std::size_t count);

/// Spearman's rank correlation of two rankings of the same words; 1 for fewer than two words.
double rank_correlation(const WordRanking& a, const WordRanking& b);

/// The words in their own order without the first `count` of the ranking.
std::vector<std::size_t> without_top(const WordRanking& ranking, std::size_t count);

/// The first `count` of the ranking, in the order of the document.
std::vector<std::size_t> only_top(const WordRanking& ranking, std::size_t count);

}  // namespace hmtc
