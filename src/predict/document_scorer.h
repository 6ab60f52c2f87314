#pragma once

#include <span>

#include "base/pool.h"
#include "data/document.h"
#include "data/word_splitter.h"
#include "predict/loaded_model.h"

namespace hmtc {

/// Scores documents that are in memory, on the threads of the model. One caller at a time.
class DocumentScorer {
 public:
  /// `model` outlives the object and stays where it is.
  explicit DocumentScorer(LoadedModel& model);

  /// Raw probabilities: a child may score above its parent.
  ScoreSet score(std::span<const Document* const> documents);

 private:
  LoadedModel& model_;
  Pool<WordSplitter> splitters_;
};

}  // namespace hmtc
