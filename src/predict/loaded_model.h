#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "artifact/linear_tensors.h"
#include "artifact/model_directory.h"
#include "artifact/thresholds.h"
#include "data/corpus.h"
#include "data/corpus_reader.h"
#include "data/score_set.h"
#include "fusion/fusion.h"

namespace hmtc {

class Ensemble;

/// What a scorer works with, for whoever wants to look inside; null where it has none of it.
struct ScorerParts {
  const Ensemble* networks = nullptr;
  const LoadedLinear* linear = nullptr;
  const Fusion* fusion = nullptr;
};

/// Gives documents their scores; one implementation per kind of model. Any number of threads may
/// call it at once.
class Scorer {
 public:
  virtual ~Scorer() = default;
  /// Raw probabilities: a child may score above its parent. Uses all threads of the model, or at
  /// most as many as are given.
  virtual ScoreSet score(const Corpus& corpus, std::optional<int> threads = {}) const = 0;
  virtual ScorerParts parts() const { return {}; }
};

/// A model directory in memory with all that it takes to classify. Nothing in it changes once it is
/// loaded.
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
