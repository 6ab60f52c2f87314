#pragma once

#include <vector>

#include "config/options.h"
#include "hierarchy/hierarchy.h"
#include "network/dense.h"
#include "network/global_layers.h"
#include "network/network.h"
#include "network/word_encoder.h"

namespace hmtc {

/// The hierarchical attention unit of one level.
class HarnnLevelNetwork {
 public:
  struct Input {
    const Matrix& V;      ///< (B N, w) word vectors
    const Matrix& mean;   ///< (B, w) over the words of each document
    const Matrix& omega;  ///< (B, N) weights of the words
    const DocumentBatch& batch;
  };
  struct Output {
    Matrix Att;           ///< (B, N) attention, the mean over the labels; zero at padding
    Matrix A;             ///< (B, d) the level's document
    Matrix local_logits;  ///< (B, L)
    Matrix omega;         ///< (B, N) weights of the words for the next level; none of the last
  };

  /// `last`: there is no next level.
  HarnnLevelNetwork(const ModelOptions& options, std::size_t word_width, std::size_t num_labels,
                    bool last, const Weights& weights);

  Output run(const Input& from) const;

 private:
  Matrix attention(const SomeRows& V, std::span<const float> omega) const;
  Matrix next_omega(std::vector<Matrix> Att, const Matrix& local_logits,
                    const DocumentBatch& batch) const;

  bool last_;
  PackedMatrix W_s1_transposed_;  // (w, a)
  Matrix W_s2_;                   // (L, a)
  Dense W_, local_;
};

/// HARNN (Huang et al. 2019), for any number of levels.
class HarnnNetwork : public Network {
 public:
  HarnnNetwork(const ModelOptions& options, WordEncoder encoder, const Hierarchy& hierarchy,
               const Weights& weights);

  NetworkScores scores(const DocumentBatch& batch) const override;
  bool has_parts() const override { return true; }
  bool has_attention() const override { return true; }
  /// Only the mean over the labels of a level reaches the classifiers, so each of them has it.
  WordAttention attention(const DocumentBatch& one, std::span<const LabelId> labels) const override;

 private:
  std::vector<HarnnLevelNetwork::Output> run_levels(const DocumentBatch& batch) const;

  double local_weight_;
  std::vector<std::size_t> level_of_;  // (M)
  WordEncoder encoder_;
  std::vector<HarnnLevelNetwork> levels_;
  GlobalLayers global_;
};

}  // namespace hmtc
