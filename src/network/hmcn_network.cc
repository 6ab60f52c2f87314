// HMCN-F and HMCN-R as they answer, to be read beside section 3 of "Hierarchical Multi-Label
// Classification Networks" (Wehrmann et al. 2018).
//
//   B documents   w word width   u units of a layer   L labels of a level   M all labels   H levels
#include "network/hmcn_network.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "kernels/lstm_cells.h"

namespace hmtc {
namespace {

std::size_t width_of(const HmcnOptions& options) { return static_cast<std::size_t>(options.width); }

Weights level_of(const Weights& weights, std::size_t h) {
  return weights.of("level_" + std::to_string(h + 1));
}

}  // namespace

HmcnLayer::HmcnLayer(const Weights& weights, const std::string& name, std::size_t in,
                     std::size_t out)
    : W_(weights.of(name), in, out) {
  constexpr float kEpsilon = 1e-5F;
  const Weights norm = weights.of(name + "_norm");
  const std::vector<float> mean = norm.vector("running_mean", out);
  const std::vector<float> variance = norm.vector("running_var", out);
  scale_ = norm.vector("weight", out);
  shift_ = norm.vector("bias", out);
  for (std::size_t k = 0; k < out; ++k) {
    scale_[k] /= std::sqrt(variance[k] + kEpsilon);
    shift_[k] -= mean[k] * scale_[k];
  }
}

Matrix HmcnLayer::operator()(const Matrix& x, int threads) const {
  Matrix phi = W_(x, threads);
  for (std::size_t b = 0; b < phi.rows(); ++b) {
    const auto row = phi.row(b);
    for (std::size_t k = 0; k < row.size(); ++k) {
      row[k] = scale_[k] * std::max(row[k], 0.0F) + shift_[k];
    }
  }
  return phi;
}

HmcnNetwork::HmcnNetwork(const HmcnOptions& options, double local_weight, WordEncoder encoder,
                         const Hierarchy& hierarchy, const Weights& weights)
    : local_weight_(local_weight),
      encoder_(std::move(encoder)),
      W_G_(weights.of("W_G"), width_of(options), hierarchy.num_labels()) {
  const std::size_t u = width_of(options);
  for (std::size_t h = 0; h < hierarchy.num_levels(); ++h) {
    const Weights level = level_of(weights, h);
    local_.push_back(
        {HmcnLayer(level, "W_T", u, u), Dense(level.of("W_L"), u, hierarchy.level_size(h))});
  }
}

NetworkScores HmcnNetwork::scores(const DocumentBatch& batch) const {
  const Matrix x = mean_over_words(encoder_(batch), batch);     // (B, w)
  const std::vector<Matrix> A = global_flow(x, batch.threads);  // H times (B, u)
  std::vector<Matrix> local;
  for (std::size_t h = 0; h < A.size(); ++h) {
    const auto& [W_T, W_L] = local_[h];
    local.push_back(W_L(W_T(A[h], batch.threads), batch.threads));  // (B, L)
  }
  return scores_of({side_by_side(local), W_G_(A.back(), batch.threads)}, local_weight_);  // (B, M)
}

HmcnFNetwork::HmcnFNetwork(const HmcnOptions& options, double local_weight, WordEncoder encoder,
                           const Hierarchy& hierarchy, const Weights& weights)
    : HmcnNetwork(options, local_weight, std::move(encoder), hierarchy, weights) {
  const std::size_t u = width_of(options);
  for (std::size_t h = 0; h < num_levels(); ++h) {
    W_.emplace_back(level_of(weights, h), "W", (h == 0 ? 0 : u) + word_width(), u);
  }
}

std::vector<Matrix> HmcnFNetwork::global_flow(const Matrix& x, int threads) const {
  std::vector<Matrix> A;
  for (const HmcnLayer& W : W_) {
    A.push_back(A.empty() ? W(x, threads) : W(side_by_side(A.back(), x), threads));  // (B, u)
  }
  return A;
}

HmcnRNetwork::HmcnRNetwork(const HmcnOptions& options, double local_weight, WordEncoder encoder,
                           const Hierarchy& hierarchy, const Weights& weights)
    : HmcnNetwork(options, local_weight, std::move(encoder), hierarchy, weights) {
  const std::size_t u = width_of(options);
  cell_ = Dense(weights.of("cell"), u + word_width(), 4 * u, Dense::Bias::kNone);
  bias_ = weights.of("cell").vector("bias", 4 * u);
}

std::vector<Matrix> HmcnRNetwork::global_flow(const Matrix& x, int threads) const {
  const std::size_t B = x.rows();
  const std::size_t u = bias_.size() / 4;
  const Matrix zeros = Matrix::filled(B, u, 0);
  Matrix C;  // of the level above, (B, u)
  std::vector<Matrix> A;
  while (A.size() < num_levels()) {
    Matrix gates = cell_(side_by_side(A.empty() ? zeros : A.back(), x), threads);  // (B, 4 u)
    Matrix C_h(B, u), A_h(B, u);
    lstm_cells_forward({B, u}, bias_.data(), C.empty() ? nullptr : C.data(), gates.data(),
                       C_h.data(), A_h.data());
    C = std::move(C_h);
    A.push_back(std::move(A_h));
  }
  return A;
}

}  // namespace hmtc
