#pragma once

#include <vector>

#include "config/options.h"
#include "hierarchy/hierarchy.h"
#include "model/batch_norm.h"
#include "model/logit_model.h"

namespace hmtc {

/// The layers of one level. phi(x) is dropout(batch_norm(relu(x))).
class HmcnLevelImpl : public torch::nn::Module {
 public:
  /// `global_input`: width of the input of its layer in the global flow; 0: it has none.
  HmcnLevelImpl(const HmcnOptions& options, std::int64_t global_input, std::int64_t num_labels);

  /// A_h = phi(W x), (B, u).
  torch::Tensor global_layer(const torch::Tensor& x, std::uint64_t seed);
  /// W_L phi(W_T A_h), (B, L).
  torch::Tensor local_logits(const torch::Tensor& A_h, std::uint64_t seed);

 private:
  torch::Tensor phi(const torch::Tensor& x, BatchNorm& norm, std::uint64_t seed);

  double dropout_;
  torch::nn::Linear W_{nullptr};
  BatchNorm W_norm_{nullptr};
  torch::nn::Linear W_T_;
  BatchNorm W_T_norm_;
  torch::nn::Linear W_L_;
};
TORCH_MODULE(HmcnLevel);

/// What the feed-forward and the recurrent network have in common: the classifiers and the loss.
class Hmcn : public LogitModel {
 public:
  ModelOutput forward(const WordBatch& batch) override;

  /// Both cross-entropies, and the violations of the hierarchy: children above their parents.
  torch::Tensor loss_of(const ModelOutput& output, const torch::Tensor& targets) const override;

 protected:
  /// `global_inputs`: per level, as HmcnLevel has it.
  Hmcn(const HmcnOptions& options, double local_weight, Encoder encoder, const Hierarchy& hierarchy,
       const std::vector<std::int64_t>& global_inputs);

  /// The global flow: A_1 … A_H, each (B, u), for the documents x (B, w).
  virtual std::vector<torch::Tensor> global_flow(const torch::Tensor& x, std::uint64_t seed) = 0;

  std::vector<HmcnLevel> levels_;

 private:
  double violation_weight_;
  torch::nn::Linear W_G_;
  torch::Tensor children_, parents_;  // label ids of the two ends of each edge
};

/// HMCN-F (Wehrmann et al. 2018): one layer per level.
class HmcnF : public Hmcn {
 public:
  HmcnF(const HmcnOptions& options, double local_weight, Encoder encoder,
        const Hierarchy& hierarchy);

 private:
  std::vector<torch::Tensor> global_flow(const torch::Tensor& x, std::uint64_t seed) override;
};

/// HMCN-R: one LSTM-like cell for all levels.
class HmcnR : public Hmcn {
 public:
  HmcnR(const HmcnOptions& options, double local_weight, Encoder encoder,
        const Hierarchy& hierarchy);

 private:
  std::vector<torch::Tensor> global_flow(const torch::Tensor& x, std::uint64_t seed) override;

  std::int64_t width_;
  torch::nn::Linear cell_;
};

}  // namespace hmtc
