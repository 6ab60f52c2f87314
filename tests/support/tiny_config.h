#pragma once

#include <string>
#include <vector>

#include "config/config.h"
#include "data/corpus.h"
#include "hierarchy/hierarchy.h"

namespace hmtc {

/// The forms of LA-HCN that every property must hold for.
struct Variant {
  Profile profile;
  EncoderKind encoder;
  std::string name;
};
std::vector<Variant> all_variants();

/// Widths so small that a model is made and run in a millisecond.
Config tiny_config(const Variant& variant);
inline Config tiny_config() {
  return tiny_config({Profile::kPaper, EncoderKind::kEmbedding, "paper"});
}

/// The configuration with every ingredient of LA-HCN+ and the Bi-LSTM.
Config with_everything(Config config);

/// A tree with so many labels on each level: label i of a level lies under label i of the level
/// above, counted round and round.
Hierarchy tree_of(const std::vector<std::int64_t>& level_sizes);

/// Documents by their word ids, without labels.
Corpus corpus_of(const std::vector<std::vector<std::int32_t>>& documents);

}  // namespace hmtc
