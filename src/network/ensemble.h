#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "artifact/safetensors.h"
#include "config/config.h"
#include "data/corpus.h"
#include "data/score_set.h"
#include "hierarchy/hierarchy.h"
#include "network/network.h"

namespace hmtc {

/// What stands before the names of a member's tensors: nothing where there is one member.
std::string member_prefix(std::int64_t member, std::int64_t num_members);

using Networks = std::span<const std::unique_ptr<const Network>>;

/// The networks of a model: one, or several of the same shape that learned from different seeds.
/// A label's logit is the mean of theirs, for local, global and combined scores alike. Any number
/// of threads may use it at once.
class Ensemble {
 public:
  /// Copies what it needs of the tensors. Throws kModel when one is missing or has another shape,
  /// kUsage for an unknown model.
  Ensemble(const Config& config, const Hierarchy& hierarchy, std::size_t vocabulary_size,
           const TensorFile& tensors, const std::string& file_name);

  ScoreSet score(const Corpus& corpus, int threads) const;

  Networks members() const { return members_; }

 private:
  std::size_t num_labels_;
  std::vector<std::unique_ptr<const Network>> members_;
};

}  // namespace hmtc
