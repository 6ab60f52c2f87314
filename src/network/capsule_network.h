#pragma once

#include <vector>

#include "config/options.h"
#include "network/dense.h"
#include "network/network.h"
#include "network/word_encoder.h"

namespace hmtc {

/// The capsule network of Aly et al. (2019): a convolution, capsules at every place of the text,
/// and one capsule per label whose length is its score, found by routing. One transform is shared
/// by all places, and no prediction of a capsule for a label is ever held, so that thousands of
/// labels fit.
class CapsuleNetwork : public Network {
 public:
  /// `max_words`: all documents are filled up to so many words, or cut.
  CapsuleNetwork(const CapsuleOptions& options, std::int64_t max_words, WordEncoder encoder,
                 std::size_t num_labels, const Weights& weights);

  /// The combined scores alone.
  NetworkScores scores(const DocumentBatch& batch) const override;

 private:
  /// (F T, s): capsules of F kinds at the T places of a document that have a word; a place without
  /// one has capsules of length zero, which change nothing.
  Matrix primary_capsules(SomeRows I) const;
  /// (B, M S): the labels' capsules that the capsules u of each document route to.
  Matrix route_to_labels(const std::vector<Matrix>& u, int threads) const;
  Matrix equal_shares(const std::vector<Matrix>& u, int threads) const;
  Matrix agreed_shares(const std::vector<Matrix>& u, const Matrix& V, int threads) const;

  WordEncoder encoder_;
  std::int64_t routings_;
  std::size_t num_words_;
  std::size_t k_;                   // words under the convolution
  std::size_t F_;                   // kinds of capsules at a place
  std::size_t s_;                   // size of a capsule
  std::size_t M_;                   // labels
  std::size_t S_;                   // size of a label's capsule
  std::vector<PackedMatrix> conv_;  // of each word under the convolution, (w, F s)
  std::vector<float> conv_bias_;    // (F s)
  Dense W_;                         // (M S, F s)
};

}  // namespace hmtc
