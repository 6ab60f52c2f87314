#pragma once

#include <filesystem>
#include <memory>

#include "artifact/model_directory.h"
#include "artifact/thresholds.h"
#include "data/corpus.h"
#include "data/corpus_reader.h"
#include "data/score_set.h"

namespace hmtc {

/// Gives documents their scores; one implementation per kind of model.
class Scorer {
 public:
  virtual ~Scorer() = default;
  /// Raw probabilities: a child may score above its parent.
  virtual ScoreSet score(const Corpus& corpus) = 0;
};

/// A model directory in memory with all that it takes to classify.
struct LoadedModel {
  Config config;
  Hierarchy hierarchy;
  Vocabulary vocabulary;
  TunedThresholds thresholds;
  std::unique_ptr<Scorer> scorer;
  int threads = 1;

  /// How documents are read for this model.
  ReadOptions read_options() const;
};

/// `threads` 0: as many as the machine has. Throws kIo, kModel.
LoadedModel load_for_prediction(const std::filesystem::path& directory, int threads);

}  // namespace hmtc
