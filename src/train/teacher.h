#pragma once

#include <filesystem>
#include <vector>

#include "data/corpus_reader.h"
#include "data/data_directory.h"
#include "data/splices.h"

namespace hmtc {

/// What a network learns from with a teacher.
struct Lessons {
  Corpus documents;           ///< those of training, and splices of them behind
  std::vector<float> scores;  ///< (documents, labels): the teacher's probabilities

  bool empty() const { return scores.empty(); }
};

/// Asks a model about the training documents, which the pupil has as `train`, and about splices of
/// them, of which both see the words that both read. `held_out` says which documents of the file
/// train. Throws kUsage when the model was trained for other labels, and what loading a model
/// throws.
Lessons ask_teacher(const std::filesystem::path& model, const DataDirectory& directory,
                    const HeldOut& held_out, int threads, const Corpus& train,
                    std::span<const Splice> splices);

}  // namespace hmtc
