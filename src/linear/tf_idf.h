#pragma once

#include <cstddef>
#include <vector>

#include "linear/sparse_matrix.h"

namespace hmtc {

struct TfIdfOptions {
  enum class TermFrequency {
    kBinary,     ///< 1, however often the word occurs
    kSublinear,  ///< 1 + ln(occurrences)
  };
  TermFrequency term_frequency = TermFrequency::kSublinear;
};

/// Documents as vectors of unit length: entry = term frequency · idf of the word, then divided by
/// the row's L2 norm. With n training documents of which df hold the word,
///   idf = ln((1 + n) / (1 + df)) + 1,
/// as if one more document held every word, so that no word is worth nothing and none divides by 0.
/// The words 0 (padding) and 1 (unknown) carry no feature. Immutable, safe to share by threads.
class TfIdf {
 public:
  static constexpr std::int32_t kFirstWord = 2;

  /// From the words of the training documents, all below `vocabulary_size`.
  static TfIdf fit(const IdRows& documents, std::size_t vocabulary_size, TfIdfOptions options);

  /// As fitted before; one entry per word of the vocabulary.
  TfIdf(std::vector<float> idf, TfIdfOptions options);

  /// One row per document, one column per word of the vocabulary. A document without any feature
  /// gives an empty row. Throws kInternal for a word outside the vocabulary.
  SparseMatrix transform(const IdRows& documents) const;

  const std::vector<float>& idf() const { return idf_; }
  const TfIdfOptions& options() const { return options_; }

 private:
  std::vector<float> idf_;
  TfIdfOptions options_;
};

}  // namespace hmtc
