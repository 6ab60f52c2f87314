#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "data/corpus.h"

namespace hmtc {

/// A document that nobody wrote: one of a corpus up to a cut, another one from there on.
struct Splice {
  std::size_t first_document;
  std::size_t second_document;
  double cut;  ///< as a share of each of the two: 0 to 1
};

/// So many of any two documents each, decided by the seed.
std::vector<Splice> plan_splices(std::size_t num_documents, std::size_t count, std::uint64_t seed);

/// Appends splices of the documents of `from`, without labels, to another corpus. Of a document
/// they have the first `most_words` words that a network reads; 0: all of these.
void append_splices(const Corpus& from, std::span<const Splice> splices, std::size_t most_words,
                    Corpus& to);

}  // namespace hmtc
