#pragma once

#include "data/corpus.h"
#include "data/score_set.h"
#include "network/network.h"

namespace hmtc {

/// Scores every document of a corpus, in batches of like length, one batch per thread at a time.
ScoreSet score_corpus(const Network& network, const Corpus& corpus, std::size_t num_labels,
                      int threads);

}  // namespace hmtc
