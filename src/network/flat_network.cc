#include "network/flat_network.h"

namespace hmtc {

FlatNetwork::FlatNetwork(WordEncoder encoder, std::size_t num_labels, const Weights& weights)
    : encoder_(std::move(encoder)), output_(weights.of("output"), encoder_.width(), num_labels) {}

NetworkScores FlatNetwork::scores(const DocumentBatch& batch) const {
  const Matrix x = mean_over_words(encoder_(batch), batch);  // (B, w)
  return scores_of({{}, output_(x, batch.threads)}, /*local_weight=*/0);
}

}  // namespace hmtc
