#pragma once

#include <vector>

#include "config/options.h"
#include "hierarchy/hierarchy.h"
#include "model/global_classifier.h"
#include "model/label_attention.h"
#include "model/label_vectors.h"
#include "model/logit_model.h"
#include "model/parent_prior.h"
#include "model/word_rarity.h"
#include "network/la_hcn_parts.h"

namespace hmtc {

/// What a level works on beside the batch.
struct LaHcnLevelInput {
  torch::Tensor I;              ///< (B, N, w)
  torch::Tensor v_l;            ///< (L, d) label embeddings
  torch::Tensor v_tilde_above;  ///< (B, d), undefined at the first level
  torch::Tensor word_bias;      ///< (B, N) of the attention's logits, or undefined
};

/// What LA-HCN computes for one level.
struct LaHcnLevelOutput {
  torch::Tensor R_tilde;  ///< (L, C); undefined with Detail::kResults
  torch::Tensor m;        ///< (B, L); undefined at the first level, where it is one
  LabelAttentionOutput attention;
  torch::Tensor local_logits;  ///< (B, L)
};

/// The label-based attention module of one level (section 3.1).
class LaHcnLevelImpl : public torch::nn::Module {
 public:
  /// `first`: there is no document embedding from a level above.
  LaHcnLevelImpl(const ModelOptions& options, std::int64_t word_width, std::int64_t num_labels,
                 bool first, bool has_components = true);

  LaHcnLevelOutput forward(const LaHcnLevelInput& from, const WordBatch& batch, Detail detail);

  /// The parameter (L, d) that v_l is, or is made of.
  torch::Tensor& labels() { return labels_; }

 private:
  /// f_w works on v~ of the level above and on a word: its parts for the two.
  struct SplitLayer {
    torch::Tensor W_1;  // (a, d), undefined at the first level
    torch::Tensor W_2;  // (a, w)
  };
  SplitLayer split_f_w();
  LabelAttentionInput label_side(const torch::Tensor& v_l, const torch::Tensor& W_2);
  torch::Tensor shift_of_f_w(const torch::Tensor& W_1, const torch::Tensor& v_tilde_above,
                             std::int64_t documents);
  torch::Tensor confidence(const torch::Tensor& v_tilde_above, const torch::Tensor& v_l);
  torch::Tensor label_readout(const torch::Tensor& v_l);

  Profile equations_;
  std::int64_t document_width_;
  torch::Tensor v_c_;     // components (C, a), undefined without them
  torch::Tensor labels_;  // (L, d)
  torch::nn::Linear f_w_, f_l_, W_;
  torch::nn::Linear f_m_{nullptr};    // from the second level on
  torch::nn::Linear W_loc_{nullptr};  // profile reference
  torch::Tensor b_loc_;               // profile reference
};
TORCH_MODULE(LaHcnLevel);

struct LaHcnOutput {
  std::vector<LaHcnLevelOutput> levels;
  torch::Tensor local_logits;   ///< (B, M)
  torch::Tensor global_logits;  ///< (B, M), undefined without the global classifier
};

/// LA-HCN (Zhang et al.), as its equations are printed or as its authors' code has it, and with the
/// ingredients of LA-HCN+ (docs/models.md) that the options name.
class LaHcn : public LogitModel {
 public:
  LaHcn(const ModelOptions& options, Encoder encoder, const Hierarchy& hierarchy,
        LaHcnParts parts = {});

  ModelOutput forward(const WordBatch& batch) override;
  void start_from(const TrainingFacts& facts) override;

  /// The forward pass, with every intermediate when asked for.
  LaHcnOutput run(const WordBatch& batch, Detail detail);

 private:
  void add_ingredients(const ModelOptions& options, const Hierarchy& hierarchy);
  LabelVectors label_vectors();
  void set_label_vectors(const LabelVectors& v_l);

  LaHcnParts parts_;
  LabelGraph graph_;
  bool label_sharing_;
  std::vector<LaHcnLevel> levels_;
  GlobalClassifier f_g_{nullptr};
  WordRarity rarity_{nullptr};
  ParentPrior parent_prior_{nullptr};
};

}  // namespace hmtc
