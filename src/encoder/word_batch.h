#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <span>

#include "data/corpus.h"

namespace hmtc {

/// Some documents side by side, padded to the longest. B documents, N words.
struct WordBatch {
  torch::Tensor ids;        ///< (B, N) int64, 0 where padded; at least one column
  torch::Tensor mask;       ///< (B, N) bool, true at real words
  torch::Tensor lengths;    ///< (B) int64
  torch::Tensor sentences;  ///< (B, S) int64, words of each, then 0; undefined if none were read
  std::uint64_t seed = 0;   ///< decides the dropout
};

WordBatch make_word_batch(const Corpus& corpus, std::span<const std::size_t> documents);

/// Makes each word of the batch, which holds these documents, the unknown one with the probability
/// `rate`. Which, the seed, the document's number and the word's place in it alone decide.
void drop_words(WordBatch& batch, std::span<const std::size_t> documents, double rate,
                std::uint64_t seed);

}  // namespace hmtc
