#pragma once

#include <cstddef>
#include <vector>

#include "linear/sparse_matrix.h"
#include "linear/word_pairs.h"

namespace hmtc {

struct TfIdfOptions {
  enum class TermFrequency {
    kBinary,     ///< 1, however often the word occurs
    kSublinear,  ///< 1 + ln(occurrences)
  };
  TermFrequency term_frequency = TermFrequency::kSublinear;
  std::size_t max_pairs = 0;  ///< word pairs that are features besides the words, at most
};

/// Documents as vectors of unit length: entry = term frequency · idf of the term, then divided by
/// the row's L2 norm. A term is a word, or a pair of neighbouring words that at least two training
/// documents hold; the most frequent pairs are taken, of equals those with the smaller ids. With n
/// training documents of which df hold the term,
///   idf = ln((1 + n) / (1 + df)) + 1,
/// as if one more document held every term, so that none is worth nothing and none divides by 0;
/// a pair's is halved: it repeats what its words say, and is rarer.
/// The words 0 (padding) and 1 (unknown) carry no feature, alone or in a pair; two words with one
/// of these between them are no neighbours. Immutable, safe to share by threads.
class TfIdf {
 public:
  static constexpr std::int32_t kFirstWord = 2;
  /// Of pairs against words. Measured on abstracts and package descriptions, 1,000 to 12,000 of
  /// them: better than 1 by up to 0.02 of AU(PRC) or as good, and than 0.3 where there are many.
  static constexpr float kPairWeight = 0.5F;

  /// From the words of the training documents, all below `vocabulary_size`. Takes up to 100 bytes
  /// for every different pair while it counts them.
  static TfIdf fit(const IdRows& documents, std::size_t vocabulary_size, TfIdfOptions options);

  /// As fitted before; one idf per word of the vocabulary, then one per pair. Throws kInternal for
  /// pairs that are not all different and of words of the vocabulary.
  TfIdf(std::vector<float> idf, TfIdfOptions options, std::vector<WordPair> pairs = {});

  /// One row per document, one column per word of the vocabulary, then one per pair. A document
  /// without any feature gives an empty row. The result does not depend on `threads`. Throws
  /// kInternal for a word outside the vocabulary.
  SparseMatrix transform(const IdRows& documents, int threads = 1) const;

  const std::vector<float>& idf() const { return idf_; }
  const std::vector<WordPair>& pairs() const { return pairs_; }
  std::size_t vocabulary_size() const { return idf_.size() - pairs_.size(); }
  const TfIdfOptions& options() const { return options_; }

 private:
  /// `terms` is memory to work in.
  void append_row(std::span<const std::int32_t> document, std::vector<std::int32_t>& terms,
                  SparseMatrix& matrix) const;

  std::vector<float> idf_;
  TfIdfOptions options_;
  std::vector<WordPair> pairs_;
  PairTable pair_columns_;  ///< the number of a pair is its column behind the vocabulary's
};

}  // namespace hmtc
