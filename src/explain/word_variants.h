#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/corpus.h"
#include "predict/loaded_model.h"

namespace hmtc {

/// A document as a model reads it.
struct ReadDocument {
  std::vector<std::int32_t> words;
  std::vector<std::int32_t> sentences;  ///< words of each
};

/// Words by their numbers in a document.
using WordNumbers = std::vector<std::size_t>;

/// The numbers of `count` words from the first on.
WordNumbers all_words(std::size_t count);

/// Appends some words of a document, by their numbers in ascending order, and the sentences they
/// are in.
void append_some(const ReadDocument& document, const WordNumbers& numbers, Corpus& corpus);

/// The scores of some labels in variants of a document, before the max constraint. The variants of
/// a document of n words have about n² words, so that they are scored as they come, a few at a
/// time.
class VariantScores {
 public:
  VariantScores(const LoadedModel& model, const ReadDocument& document,
                std::span<const LabelId> labels)
      : model_(model), document_(document), labels_(labels) {}

  /// A variant that has these words alone.
  void add(const WordNumbers& words);

  /// The scores of all variants x labels, row by row.
  std::vector<float> take();

 private:
  void score_waiting();

  const LoadedModel& model_;
  const ReadDocument& document_;
  std::span<const LabelId> labels_;
  Corpus waiting_;
  std::vector<float> scores_;
};

/// What the logit of each label's score loses when a word alone is left out: for each label one
/// number per word.
std::vector<std::vector<float>> leave_one_out(const LoadedModel& model,
                                              const ReadDocument& document,
                                              std::span<const LabelId> labels);

}  // namespace hmtc
