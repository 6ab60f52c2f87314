#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/corpus.h"

namespace hmtc {

/// Some documents side by side, padded to the longest. Word n of document b is row b * words + n of
/// what is made of the words.
struct DocumentBatch {
  std::size_t documents = 0;                         ///< B
  std::size_t words = 1;                             ///< N, at least one
  std::vector<std::int32_t> ids;                     ///< (B, N), 0 where padded
  std::vector<std::int64_t> lengths;                 ///< (B)
  std::vector<std::vector<std::int32_t>> sentences;  ///< words of each; none if not read
  int threads = 1;                                   ///< that a forward pass may use

  std::size_t length(std::size_t document) const {
    return static_cast<std::size_t>(lengths[document]);
  }
};

DocumentBatch make_document_batch(const Corpus& corpus, std::span<const std::size_t> documents);

}  // namespace hmtc
