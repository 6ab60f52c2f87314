#pragma once

#include <optional>

#include "config/options.h"
#include "network/bi_recurrent.h"
#include "network/document_batch.h"
#include "network/matrix.h"
#include "network/weights.h"

namespace hmtc {

/// Word ids to word vectors: an embedding, and over it a Bi-LSTM when the options say so, whose
/// output the word's own vector may follow.
class WordEncoder {
 public:
  /// `options.kind` must be resolved (not kAuto).
  WordEncoder(const EncoderOptions& options, std::size_t vocabulary_size, const Weights& weights);

  /// (B N, w) with w = width(); nothing is promised of rows that are padding.
  Matrix operator()(const DocumentBatch& batch) const;

  std::size_t width() const;

 private:
  bool residual_;
  Matrix embedding_;  // (vocabulary, e)
  std::optional<BiLstmLayer> lstm_;
};

/// The mean of each document's word vectors I (B N, w), padding left out: (B, w), zero without
/// words.
Matrix mean_over_words(const Matrix& I, const DocumentBatch& batch);

}  // namespace hmtc
