#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "explain/explainer.h"
#include "metrics/predictions.h"

namespace hmtc {

/// The shares of a document's words, the heaviest first, that are deleted or kept.
inline constexpr std::array<double, 5> kWordShares = {0.01, 0.05, 0.10, 0.20, 0.50};

/// How far the probability of a label falls, as the mean over documents and their labels.
struct WordRankingReport {
  std::string ranking;  ///< "attention", "random", …
  std::array<double, kWordShares.size()>
      deleted{};                                  ///< when the share is deleted: comprehensiveness
  std::array<double, kWordShares.size()> kept{};  ///< when nothing else is kept: sufficiency
};

/// Whether the words that a model shows for a label are those that its score depends on.
struct FaithfulnessReport {
  std::string model;
  std::size_t documents = 0;
  std::size_t labels = 0;  ///< pairs of a document and a label
  std::vector<WordRankingReport> rankings;
  /// Over the pairs of labels of a document that the model's own ranking was asked for: which part
  /// of the heaviest tenth of the words they do not share, and the rank correlation of all words.
  double top_words_apart = kUndefined;
  double rank_correlation = kUndefined;
  std::size_t label_pairs = 0;
};

struct FaithfulnessOptions {
  std::size_t documents =
      200;                 ///< the first so many that have a word and a predicted label; 0: all
  std::uint64_t seed = 0;  ///< of the random ranking
  std::function<void(std::size_t documents)> progress = {};
};

/// Reads documents until there are enough, and asks each of its predicted labels how its
/// probability (before the max constraint) changes when words go. The rankings: the model's own;
/// evidence and coefficients where there are such; leave-one-out; random. Of a long document the
/// words that the network reads take part. Throws kIo, and kInput also where no document takes
/// part.
FaithfulnessReport measure_faithfulness(Explainer& explainer, const std::string& file,
                                        const FaithfulnessOptions& options);

/// The mean over the shares.
double mean_of(const std::array<double, kWordShares.size()>& values);

/// Several models in one table.
std::string faithfulness_table(const std::vector<FaithfulnessReport>& reports);
std::string faithfulness_json(const std::vector<FaithfulnessReport>& reports);

}  // namespace hmtc
