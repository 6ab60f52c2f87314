#pragma once

#include <cstddef>
#include <vector>

#include "data/corpus.h"

namespace hmtc {

/// How rare each word of the vocabulary is in a corpus: with n documents of which df hold the word,
///   idf = ln((1 + n) / (1 + df)) + 1,      r = (idf - mean) / deviation,
/// where mean and deviation are those of idf over all places in the corpus where a known word
/// stands. So r is about 1 in size, and 0 for the word that one meets on average; padding and
/// unknown words have 0 too. All are 0 when every word is equally rare.
std::vector<float> word_rarity(const Corpus& corpus, std::size_t vocabulary_size);

}  // namespace hmtc
