#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/config.h"
#include "data/corpus.h"
#include "data/label_resolver.h"
#include "data/word_splitter.h"
#include "text/vocabulary.h"

namespace hmtc {

/// A reproducible part of a file's documents, where a split has to be cut from another.
struct HeldOut {
  enum class Side { kAll, kRest, kHeldOut };
  std::vector<bool> is_held_out;  ///< per document of the file
  Side side = Side::kAll;

  /// Whether the document of that number belongs to the side to be read.
  bool reads(std::size_t number) const;
};

/// Of the training documents, where a data directory has no validation split.
inline constexpr double kHeldOutShare = 0.15;

/// Draws the share of the file's documents, at least one, that the seed decides; reads the rest.
HeldOut hold_out(const std::string& path, double share, std::uint64_t seed);

/// How a split is read.
struct ReadOptions {
  TextOptions text;
  std::size_t max_words = 0;       ///< a network reads so many of a document; 0: all
  bool keeps_what_is_cut = false;  ///< the corpus holds the other words all the same
  int threads = 1;
  HeldOut held_out;
  WordSplitter::Sentences sentences = WordSplitter::Sentences::kIgnore;

  /// How many words of a document a corpus holds; 0: all.
  std::size_t words_kept() const { return keeps_what_is_cut ? 0 : max_words; }
};

/// As a model with this configuration reads its documents.
ReadOptions read_options_for(const Config& config, int threads);

/// What reading found, for messages and for choosing the encoder.
struct ReadSummary {
  std::size_t with_text = 0;  ///< documents that came as text (the others as tokens)
  std::size_t without_words = 0;
  std::size_t cut = 0;  ///< documents of which a network does not read all
};

/// Reads a split with a vocabulary that exists already. Throws kInput, kIo.
Corpus read_corpus(const std::string& path, const Vocabulary& vocabulary, LabelResolver& labels,
                   const ReadOptions& options, ReadSummary* summary = nullptr);

/// Reads the training split and builds the vocabulary from it, in one pass over the texts.
struct TrainingCorpus {
  Corpus corpus;
  Vocabulary vocabulary;
  ReadSummary summary;
};
TrainingCorpus read_training_corpus(const std::string& path, LabelResolver& labels,
                                    const ReadOptions& options);

}  // namespace hmtc
