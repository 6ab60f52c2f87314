#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "data/corpus.h"

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

/// What is to be learnt of the documents of a corpus: their labels or, with a teacher, a mean of
/// these and of the probabilities that it gives, and of documents without labels these alone.
struct Targets {
  Targets(std::size_t labels, std::span<const float> teacher_scores = {}, double weight = 0,
          std::size_t labelled = std::numeric_limits<std::size_t>::max())
      : num_labels(labels),
        teacher(teacher_scores),
        teacher_weight(weight),
        num_labelled(labelled) {}

  std::size_t num_labels;
  std::span<const float> teacher;  ///< (documents of the corpus, labels), or none
  double teacher_weight;           ///< of documents with labels
  std::size_t num_labelled;        ///< the documents from there on have none
};

/// (B, M) with 1 at the labels of each document, or nearer to what the teacher says.
torch::Tensor targets_of(const Corpus& corpus, std::span<const std::size_t> documents,
                         const Targets& targets);

}  // namespace hmtc
