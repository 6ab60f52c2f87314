#pragma once

#include <span>
#include <vector>

#include "data/corpus.h"
#include "hierarchy/hierarchy.h"
#include "network/ensemble.h"

namespace hmtc {

/// For each label one weight per word that the networks read.
using WordWeights = std::vector<std::vector<float>>;

/// What the components of a level have to do with a document: words x components and
/// labels of the level x components, row by row.
struct LevelComponents {
  std::size_t num_components = 0;
  std::vector<float> relevance;
  std::vector<float> association;
};

/// What the attention of the labels does with the words of one document, as the mean of the
/// networks; each empty where they have none.
struct AttentionWords {
  WordWeights attention;
  WordWeights evidence;  ///< what the word adds to the logit of the local classifier
  /// Level by level, of the first network: those of different networks have nothing in common.
  std::vector<LevelComponents> components;
};
AttentionWords attention_words(Networks networks, const Corpus& corpus, std::size_t document,
                               std::span<const LabelId> labels);

}  // namespace hmtc
