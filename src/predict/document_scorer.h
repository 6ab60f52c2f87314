#pragma once

#include <span>

#include "base/pool.h"
#include "data/word_splitter.h"
#include "hmtc/document.h"
#include "predict/loaded_model.h"

namespace hmtc {

/// Scores documents that are in memory. May be called by several threads at a time.
class DocumentScorer {
 public:
  /// `model` outlives the object and stays where it is.
  explicit DocumentScorer(const LoadedModel& model);

  /// Raw probabilities: a child may score above its parent. Uses at most `threads` threads.
  ScoreSet score(std::span<const Document* const> documents, int threads);

  /// The documents as the model reads them, with their labels if there is a resolver.
  Corpus read(std::span<const Document* const> documents, int threads,
              LabelResolver* labels = nullptr);

 private:
  const LoadedModel& model_;
  Pool<WordSplitter> splitters_;
};

}  // namespace hmtc
