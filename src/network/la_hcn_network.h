#pragma once

#include <optional>
#include <vector>

#include "config/options.h"
#include "network/global_layers.h"
#include "network/la_hcn_level.h"
#include "network/la_hcn_parts.h"
#include "network/network.h"
#include "network/word_encoder.h"

namespace hmtc {

/// LA-HCN, its ablations, and what LA-HCN+ puts into them (docs/models.md).
class LaHcnNetwork : public Network {
 public:
  LaHcnNetwork(const ModelOptions& options, WordEncoder encoder, std::size_t vocabulary_size,
               Hierarchy hierarchy, LaHcnParts parts, const Weights& weights);

  NetworkScores scores(const DocumentBatch& batch) const override;
  bool has_parts() const override { return parts_.local_classifier && parts_.global_classifier; }
  bool has_attention() const override { return true; }
  bool has_evidence() const override { return parts_.local_classifier; }
  WordAttention attention(const DocumentBatch& one, std::span<const LabelId> labels) const override;

 private:
  /// gamma_h r(word) of each word, (B N); none without model.rarity.
  std::vector<float> word_bias(const DocumentBatch& batch, std::size_t level) const;
  /// Adds what the parents' logits say to those of the labels of a level.
  void add_parent_prior(const std::vector<Matrix>& above, std::size_t level, Matrix& logits) const;

  LaHcnParts parts_;
  double local_weight_;
  bool max_constraint_;
  Hierarchy hierarchy_;
  WordEncoder encoder_;
  std::vector<LaHcnLevelNetwork> levels_;
  std::optional<GlobalLayers> f_g_;
  std::vector<float> rarity_, gamma_;  // (V), (H); none without model.rarity
  std::vector<float> beta_;            // (H - 1); none without model.parent_prior
};

}  // namespace hmtc
