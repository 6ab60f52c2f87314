#pragma once

#include <optional>
#include <vector>

#include "config/options.h"
#include "hierarchy/hierarchy.h"
#include "network/dense.h"
#include "network/network.h"
#include "network/word_encoder.h"

namespace hmtc {

/// phi(W x + b), where phi is a ReLU and then a batch normalisation by what training has counted.
class HmcnLayer {
 public:
  /// The tensors of `name` and of `name`_norm.
  HmcnLayer(const Weights& weights, const std::string& name, std::size_t in, std::size_t out);

  Matrix operator()(const Matrix& x, int threads) const;

 private:
  Dense W_;
  std::vector<float> scale_, shift_;  // the normalisation
};

/// What the feed-forward and the recurrent network have in common: the classifiers.
class HmcnNetwork : public Network {
 public:
  NetworkScores scores(const DocumentBatch& batch) const override;
  bool has_parts() const override { return true; }

 protected:
  HmcnNetwork(const HmcnOptions& options, double local_weight, WordEncoder encoder,
              const Hierarchy& hierarchy, const Weights& weights);

  /// The global flow: A_1 … A_H, each (B, u), for the documents x (B, w).
  virtual std::vector<Matrix> global_flow(const Matrix& x, int threads) const = 0;

  std::size_t num_levels() const { return local_.size(); }
  std::size_t word_width() const { return encoder_.width(); }

 private:
  /// The local classifier of a level.
  struct Local {
    HmcnLayer W_T;
    Dense W_L;
  };

  double local_weight_;
  WordEncoder encoder_;
  std::vector<Local> local_;
  Dense W_G_;
};

/// HMCN-F (Wehrmann et al. 2018): one layer per level.
class HmcnFNetwork : public HmcnNetwork {
 public:
  HmcnFNetwork(const HmcnOptions& options, double local_weight, WordEncoder encoder,
               const Hierarchy& hierarchy, const Weights& weights);

 private:
  std::vector<Matrix> global_flow(const Matrix& x, int threads) const override;

  std::vector<HmcnLayer> W_;  // of each level
};

/// HMCN-R: one LSTM-like cell for all levels.
class HmcnRNetwork : public HmcnNetwork {
 public:
  HmcnRNetwork(const HmcnOptions& options, double local_weight, WordEncoder encoder,
               const Hierarchy& hierarchy, const Weights& weights);

 private:
  std::vector<Matrix> global_flow(const Matrix& x, int threads) const override;

  Dense cell_;               // (4 u, u + w) without its bias
  std::vector<float> bias_;  // (4 u)
};

}  // namespace hmtc
