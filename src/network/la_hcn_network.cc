// LA-HCN as it answers: the levels one after the other, and the global classifier. To be read with
// section 3 of the paper beside it; see la_hcn_level.cc.
#include "network/la_hcn_network.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "network/label_embeddings.h"

namespace hmtc {
namespace {

float log_sigmoid(float logit) {
  return std::min(logit, 0.0F) - std::log1p(std::exp(-std::abs(logit)));
}

}  // namespace

LaHcnNetwork::LaHcnNetwork(const ModelOptions& options, WordEncoder encoder,
                           std::size_t vocabulary_size, Hierarchy hierarchy, LaHcnParts parts,
                           const Weights& weights)
    : parts_(parts),
      local_weight_(options.local_weight),
      max_constraint_(options.max_constraint),
      hierarchy_(std::move(hierarchy)),
      encoder_(std::move(encoder)) {
  const auto d = static_cast<std::size_t>(options.document_width);
  const std::size_t H = hierarchy_.num_levels();
  std::vector<Matrix> v_l = label_embeddings(hierarchy_, d, options.label_sharing, weights);
  for (std::size_t h = 0; h < H; ++h) {
    levels_.emplace_back(options, encoder_.width(), std::move(v_l[h]), /*first=*/h == 0,
                         parts.components, weights.of("level_" + std::to_string(h + 1)));
  }
  if (parts.global_classifier) {
    const bool has_highway = options.equations() == Profile::kReference;  // D7
    f_g_.emplace(options, has_highway ? GlobalLayers::Highway::kOne : GlobalLayers::Highway::kNone,
                 H * d, hierarchy_.num_labels(), weights.of("global"));
  }
  if (options.rarity) {
    rarity_ = weights.of("rarity").vector("words", vocabulary_size);
    gamma_ = weights.of("rarity").vector("gamma", H);
  }
  if (options.parent_prior && H > 1) beta_ = weights.of("parent_prior").vector("beta", H - 1);
}

std::vector<float> LaHcnNetwork::word_bias(const DocumentBatch& batch, std::size_t level) const {
  std::vector<float> bias;
  if (rarity_.empty()) return bias;
  for (const std::int32_t id : batch.ids) {
    bias.push_back(gamma_[level] * rarity_[static_cast<std::size_t>(id)]);
  }
  return bias;
}

/// logit + beta_h log sigma(logit of the parent), of several parents the least likely one.
void LaHcnNetwork::add_parent_prior(const std::vector<Matrix>& above, std::size_t level,
                                    Matrix& logits) const {
  const auto logit_of = [&](std::size_t document, LabelId id) {
    const std::size_t h = hierarchy_.level_of(id);
    return above[h].row(document)[static_cast<std::size_t>(id - hierarchy_.level_begin(h))];
  };
  for (std::size_t document = 0; document < logits.rows(); ++document) {
    for (std::size_t j = 0; j < logits.columns(); ++j) {
      const auto parents =
          hierarchy_.parents(hierarchy_.level_begin(level) + static_cast<LabelId>(j));
      float least = logit_of(document, parents.front());
      for (const LabelId parent : parents) least = std::min(least, logit_of(document, parent));
      logits.row(document)[j] += beta_[level - 1] * log_sigmoid(least);
    }
  }
}

NetworkScores LaHcnNetwork::scores(const DocumentBatch& batch) const {
  const Matrix I = encoder_(batch);  // (B N, w)
  Matrix v_tilde;                    // empty above the first level: m^1 = 1
  std::vector<Matrix> v, p;
  for (std::size_t h = 0; h < levels_.size(); ++h) {
    LevelOutput level = levels_[h].run({I, v_tilde, word_bias(batch, h), batch});
    if (!beta_.empty() && h > 0) add_parent_prior(p, h, level.local_logits);
    v_tilde = std::move(level.v_tilde);
    v.push_back(std::move(level.v));
    p.push_back(std::move(level.local_logits));
  }
  NetworkLogits logits;
  if (parts_.local_classifier) logits.local = side_by_side(p);        // Eq. 18 (B, M)
  if (f_g_) logits.global = (*f_g_)(side_by_side(v), batch.threads);  // Eq. 13, 15 (B, M)
  for (Matrix* all : {&logits.local, &logits.global}) {
    for (std::size_t i = 0; max_constraint_ && i < all->rows(); ++i) {
      hierarchy_.make_coherent(all->row(i));
    }
  }
  return scores_of(std::move(logits), local_weight_);
}

WordAttention LaHcnNetwork::attention(const DocumentBatch& one,
                                      std::span<const LabelId> labels) const {
  const Matrix I = encoder_(one);  // (N, w)
  WordAttention result;
  result.A = Matrix(labels.size(), one.words);
  if (has_evidence()) result.evidence = Matrix(labels.size(), one.words);
  Matrix v_tilde;
  for (std::size_t h = 0; h < levels_.size(); ++h) {
    std::vector<LaHcnLevelNetwork::Rows> rows;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (hierarchy_.level_of(labels[i]) != h) continue;
      rows.push_back({static_cast<std::size_t>(labels[i] - hierarchy_.level_begin(h)),
                      result.A.row(i),
                      has_evidence() ? result.evidence.row(i) : std::span<float>()});
    }
    const std::vector<float> bias = word_bias(one, h);
    const LevelInput from{I, v_tilde, bias, one};
    levels_[h].look(from, rows);
    if (parts_.components) result.components.push_back(levels_[h].components(from));
    if (h + 1 == levels_.size()) break;
    Matrix next = levels_[h].run(from).v_tilde;
    v_tilde = std::move(next);
  }
  return result;
}

}  // namespace hmtc
