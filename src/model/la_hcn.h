#pragma once

#include <optional>
#include <vector>

#include "config/options.h"
#include "model/global_classifier.h"
#include "model/label_attention.h"
#include "model/logit_model.h"

namespace hmtc {

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

  /// I (B, N, w) of the batch, v_tilde_above (B, d), undefined at the first level.
  LaHcnLevelOutput forward(const torch::Tensor& I, const WordBatch& batch,
                           const torch::Tensor& v_tilde_above, Detail detail);

  /// See Model::prepare_for_prediction().
  void prepare_for_prediction();

 private:
  /// f_w works on v~ of the level above and on a word: its parts for the two.
  struct SplitLayer {
    torch::Tensor W_1;  // (a, d), undefined at the first level
    torch::Tensor W_2;  // (a, w)
  };
  SplitLayer split_f_w();
  LabelAttentionInput label_side(const torch::Tensor& W_2);
  torch::Tensor shift_of_f_w(const torch::Tensor& W_1, const torch::Tensor& v_tilde_above,
                             std::int64_t documents, int threads);
  torch::Tensor confidence(const torch::Tensor& v_tilde_above, int threads);
  torch::Tensor label_readout();

  Profile profile_;
  std::int64_t document_width_;
  torch::Tensor v_c_;  // components (C, a), undefined without them
  torch::Tensor v_l_;  // labels (L, d)
  torch::nn::Linear f_w_, f_l_, W_;
  torch::nn::Linear f_m_{nullptr};    // from the second level on
  torch::nn::Linear W_loc_{nullptr};  // profile reference
  torch::Tensor b_loc_;               // profile reference
  std::optional<LabelAttentionInput> prepared_;
};
TORCH_MODULE(LaHcnLevel);

/// What of LA-HCN is there: all, or one of the ablations of section 4.4.
struct LaHcnParts {
  bool components = true;         ///< without: LA-HCN_NC
  bool local_classifier = true;   ///< without: LA-HCN_G
  bool global_classifier = true;  ///< without: LA-HCN_L
};

struct LaHcnOutput {
  std::vector<LaHcnLevelOutput> levels;
  torch::Tensor local_logits;   ///< (B, M)
  torch::Tensor global_logits;  ///< (B, M), undefined without the global classifier
};

/// LA-HCN (Zhang et al.), as its equations are printed or as its authors' code has it.
class LaHcn : public LogitModel {
 public:
  /// `level_sizes`: labels per level.
  LaHcn(const ModelOptions& options, Encoder encoder, const std::vector<std::int64_t>& level_sizes,
        LaHcnParts parts = {});

  ModelOutput forward(const WordBatch& batch) override;
  void prepare_for_prediction() override;

  /// The forward pass, with every intermediate when asked for.
  LaHcnOutput run(const WordBatch& batch, Detail detail);

 private:
  LaHcnParts parts_;
  std::vector<LaHcnLevel> levels_;
  GlobalClassifier f_g_{nullptr};
};

}  // namespace hmtc
