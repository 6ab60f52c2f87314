#pragma once

#include "data/corpus.h"
#include "data/score_set.h"
#include "model/model.h"

namespace hmtc {

/// Scores every document of a corpus, in batches of like length, one batch per thread at a time,
/// without recording gradients. The model is left in evaluation mode.
ScoreSet score_corpus(Model& model, const Corpus& corpus, std::size_t num_labels, int threads);

}  // namespace hmtc
