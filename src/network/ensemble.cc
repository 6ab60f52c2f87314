#include "network/ensemble.h"

#include <fmt/format.h>

#include "base/logistic.h"
#include "network/network_table.h"
#include "network/scoring.h"

namespace hmtc {
namespace {

using Array = std::vector<float> ScoreSet::*;
constexpr Array kArrays[] = {&ScoreSet::combined, &ScoreSet::local, &ScoreSet::global};

void add_logits(const ScoreSet& scores, ScoreSet& sums) {
  for (const Array array : kArrays) {
    const std::vector<float>& from = scores.*array;
    std::vector<float>& to = sums.*array;
    to.resize(from.size(), 0.0F);
    for (std::size_t i = 0; i < from.size(); ++i) to[i] += bounded_logit(from[i]);
  }
}

}  // namespace

std::string member_prefix(std::int64_t member, std::int64_t num_members) {
  return num_members == 1 ? "" : fmt::format("members.{}.", member);
}

Ensemble::Ensemble(const Config& config, const Hierarchy& hierarchy, std::size_t vocabulary_size,
                   const TensorFile& tensors, const std::string& file_name)
    : num_labels_(hierarchy.num_labels()) {
  for (std::int64_t member = 0; member < config.train.members; ++member) {
    const Weights weights(tensors, file_name, member_prefix(member, config.train.members));
    members_.push_back(make_network(config, hierarchy, vocabulary_size, weights));
  }
}

ScoreSet Ensemble::score(const Corpus& corpus, int threads) const {
  ScoreSet scores = score_corpus(*members_.front(), corpus, num_labels_, threads);
  if (members_.size() == 1) return scores;
  ScoreSet sums{scores.num_documents, scores.num_labels, {}, {}, {}, {}};
  add_logits(scores, sums);
  for (std::size_t member = 1; member < members_.size(); ++member) {
    add_logits(score_corpus(*members_[member], corpus, num_labels_, threads), sums);
  }
  const auto count = static_cast<float>(members_.size());
  for (const Array array : kArrays) {
    for (float& value : sums.*array) value = sigmoid(value / count);
  }
  return sums;
}

}  // namespace hmtc
