#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <span>
#include <vector>

#include "data/corpus.h"
#include "train/targets.h"

namespace hmtc {

/// The documents in consecutive shares of about as many words, each of at least one document; there
/// must not be more shares than documents.
std::vector<std::span<const std::size_t>> shares_of_words(const Corpus& corpus,
                                                          std::span<const std::size_t> documents,
                                                          std::size_t num_shares);

/// One epoch's batches of document numbers: documents of like length together, everything in an
/// order that seed and epoch alone decide.
std::vector<std::vector<std::size_t>> plan_epoch(const Corpus& corpus, std::size_t batch_size,
                                                 std::uint64_t seed, std::int64_t epoch);

/// (B, M) with 1 at the labels of each document, or nearer to what the teacher says.
torch::Tensor targets_of(const Corpus& corpus, std::span<const std::size_t> documents,
                         const Targets& targets);

}  // namespace hmtc
