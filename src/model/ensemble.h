#pragma once

#include <memory>
#include <string>
#include <vector>

#include "artifact/safetensors.h"
#include "config/config.h"
#include "data/corpus.h"
#include "data/score_set.h"
#include "hierarchy/hierarchy.h"
#include "model/model.h"

namespace hmtc {

/// What stands before the names of a member's tensors: nothing where there is one member.
std::string member_prefix(std::int64_t member, std::int64_t num_members);

/// The networks of a model: one, or several of the same shape that learned from different seeds.
/// A label's logit is the mean of theirs, for local, global and combined scores alike.
class Ensemble {
 public:
  /// Throws kModel when a tensor is missing or has another shape.
  Ensemble(const Config& config, const Hierarchy& hierarchy, std::size_t vocabulary_size,
           const TensorFile& tensors, const std::string& file_name);

  /// See Model::prepare_for_prediction().
  void prepare_for_prediction();

  ScoreSet score(const Corpus& corpus, int threads);

 private:
  std::size_t num_labels_;
  std::vector<std::shared_ptr<Model>> members_;
};

}  // namespace hmtc
