#pragma once

#include "network/dense.h"
#include "network/network.h"
#include "network/word_encoder.h"

namespace hmtc {

/// The plainest network: the encoder, the mean over the words, one linear layer for all labels.
class FlatNetwork : public Network {
 public:
  FlatNetwork(WordEncoder encoder, std::size_t num_labels, const Weights& weights);

  NetworkScores scores(const DocumentBatch& batch) const override;

 private:
  WordEncoder encoder_;
  Dense output_;
};

}  // namespace hmtc
