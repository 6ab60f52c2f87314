#pragma once

#include <functional>
#include <optional>
#include <string>

#include "config/config.h"
#include "data/corpus.h"
#include "hierarchy/hierarchy.h"
#include "text/vocabulary.h"
#include "text/word_vectors.h"
#include "train/targets.h"
#include "train/teacher.h"
#include "train/train.h"

namespace hmtc {

/// Everything that a run reads before its first step.
struct TrainingData {
  Config config;  ///< effective: encoder kind, word pairs, threads and widths resolved
  Hierarchy hierarchy;
  Vocabulary vocabulary;
  Corpus train;
  Corpus validation;
  std::optional<WordVectors> vectors;
  Lessons lessons;  ///< empty without a teacher
  /// Whether the validation documents come from train.jsonl.
  bool has_held_out = false;

  /// What a network learns from: the training documents, and with a teacher more than these.
  const Corpus& network_documents() const { return lessons.empty() ? train : lessons.documents; }

  /// What is to be learnt of them.
  Targets targets() const {
    return {hierarchy.num_labels(), lessons.scores, config.train.teacher_weight, train.size()};
  }

  /// Whether the model is to learn from the held out documents too, once they have chosen.
  bool is_to_refit() const { return has_held_out && config.train.refit; }

  /// Changes when anything that training depends on changes.
  std::string fingerprint() const;
};

/// Reads the data directory. Without val.jsonl, 15 % of the training documents are held out.
TrainingData read_training_data(const TrainRequest& request);

/// All documents of train.jsonl for training, with a vocabulary of their own, and none for
/// validation. The configuration is one that read_training_data() gave.
TrainingData read_all_documents(const TrainRequest& request, const Config& config);

}  // namespace hmtc
