#pragma once

#include <vector>

#include "config/options.h"
#include "model/global_classifier.h"
#include "model/logit_model.h"

namespace hmtc {

/// What HARNN computes for one level.
struct HarnnLevelOutput {
  torch::Tensor Att;           ///< (B, L, N) attention of the labels
  torch::Tensor A;             ///< (B, d)    the level's document
  torch::Tensor local_logits;  ///< (B, L)
  torch::Tensor omega;         ///< (B, N)    weights of the words for the next level
};

/// The hierarchical attention unit of one level.
class HarnnLevelImpl : public torch::nn::Module {
 public:
  HarnnLevelImpl(const ModelOptions& options, std::int64_t word_width, std::int64_t num_labels);

  /// V (B, N, w), its mean (B, w), omega (B, N) from the level above or undefined.
  HarnnLevelOutput forward(const torch::Tensor& V, const torch::Tensor& mean,
                           const torch::Tensor& omega, const WordBatch& batch);

 private:
  torch::nn::Linear W_s1_, W_s2_, W_, local_;
};
TORCH_MODULE(HarnnLevel);

/// HARNN (Huang et al. 2019), for any number of levels.
class Harnn : public LogitModel {
 public:
  Harnn(const ModelOptions& options, Encoder encoder, const std::vector<std::int64_t>& level_sizes);

  ModelOutput forward(const WordBatch& batch) override;

  /// The levels' part of the forward pass.
  std::vector<HarnnLevelOutput> run_levels(const WordBatch& batch);

 private:
  std::vector<HarnnLevel> levels_;
  GlobalClassifier global_{nullptr};
};

}  // namespace hmtc
