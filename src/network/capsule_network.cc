// The capsule network as it answers, to be read beside section 3 of "Hierarchical Multi-label
// Classification of Text with Capsule Networks" (Aly et al. 2019).
//
//   B documents   T places of the window   k words of the window   w word width
//   F kinds of capsules at a place   s size of a capsule   M labels   S size of a label's capsule
//
// A capsule u of kind f predicts the vector W_jf u for label j. These predictions, T F M S numbers
// per document, are never held, nor are the routing weights c of more than some places:
//   s_j = sum over all u of c W_jf u = sum over f of W_jf X_jf,   X_jf = sum over places of c u
//   b_uj = W_jf u . V_j = u . Q_jf,   Q_jf = W_jf^T V_j,   V_j the sum of all v_j so far
#include "network/capsule_network.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "kernels/routing.h"

namespace hmtc {
namespace {

constexpr float kTiny = 1e-12F;  // as in training, where a length of zero needs a slope

float length(std::span<const float> vector) {
  float sum = 0;
  for (const float x : vector) sum += x * x;
  return std::sqrt(sum + kTiny);
}

/// Of each vector of `size` numbers keeps the direction, and makes the length one between 0 and 1.
void squash(std::span<float> vectors, std::size_t size) {
  for (std::size_t begin = 0; begin < vectors.size(); begin += size) {
    const auto vector = vectors.subspan(begin, size);
    const float norm = length(vector);
    for (float& x : vector) x *= norm / (1 + norm * norm);
  }
}

/// The filters (F s, w, k) as the words under the window meet them: k times (w, F s).
std::vector<PackedMatrix> filters_of_words(const std::vector<float>& filters, std::size_t count,
                                           std::size_t w, std::size_t k) {
  std::vector<Matrix> of_words;
  for (std::size_t j = 0; j < k; ++j) of_words.emplace_back(count, w);
  auto next = filters.begin();
  for (std::size_t f = 0; f < count; ++f) {
    for (std::size_t i = 0; i < w; ++i) {
      for (std::size_t j = 0; j < k; ++j) of_words[j].row(f)[i] = *next++;
    }
  }
  std::vector<PackedMatrix> packed;
  for (const Matrix& filter : of_words) packed.push_back(packed_transpose(filter));
  return packed;
}

/// The transform (M, F, S, s) as it is multiplied with, (M S, F s).
Matrix flat_transform(const std::vector<float>& transform, std::size_t M, std::size_t F,
                      std::size_t S, std::size_t s) {
  Matrix W(M * S, F * s);
  auto next = transform.begin();
  for (std::size_t j = 0; j < M; ++j) {
    for (std::size_t f = 0; f < F; ++f) {
      for (std::size_t i = 0; i < S; ++i, next += static_cast<std::ptrdiff_t>(s)) {
        std::copy_n(next, s, W.row(j * S + i).subspan(f * s).begin());
      }
    }
  }
  return W;
}

/// Calls work(j) for every label j.
template <typename Work>
void for_each_label(std::size_t labels, int threads, const Work& work) {
  constexpr std::size_t kAtOnce = 64;
  parallel_for((labels + kAtOnce - 1) / kAtOnce, threads, [&](std::size_t i) {
    const std::size_t end = std::min((i + 1) * kAtOnce, labels);
    for (std::size_t j = i * kAtOnce; j < end; ++j) work(j);
  });
}

}  // namespace

CapsuleNetwork::CapsuleNetwork(const CapsuleOptions& options, std::int64_t max_words,
                               WordEncoder encoder, std::size_t num_labels, const Weights& weights)
    : encoder_(std::move(encoder)),
      routings_(options.routings),
      num_words_(static_cast<std::size_t>(std::max(max_words, options.window))),
      k_(static_cast<std::size_t>(options.window)),
      F_(static_cast<std::size_t>(options.kinds)),
      s_(static_cast<std::size_t>(options.size)),
      M_(num_labels),
      S_(static_cast<std::size_t>(options.label_size)) {
  const std::size_t w = encoder_.width();
  const Weights conv = weights.of("conv");
  conv_ = filters_of_words(conv.tensor("weight", {F_ * s_, w, k_}), F_ * s_, w, k_);
  conv_bias_ = conv.vector("bias", F_ * s_);
  W_ = Dense(flat_transform(weights.tensor("transform", {M_, F_, S_, s_}), M_, F_, S_, s_));
}

Matrix CapsuleNetwork::primary_capsules(SomeRows I) const {
  const std::size_t words = std::min(I.count, num_words_);
  const std::size_t T = std::min(num_words_ - k_ + 1, words);
  const std::size_t w = I.of.columns();
  Matrix features(T, F_ * s_);
  for (std::size_t t = 0; t < T; ++t) {
    std::copy(conv_bias_.begin(), conv_bias_.end(), features.row(t).begin());
  }
  // Word t + j stands under the window's j-th filter at place t; there are none behind the last.
  for (std::size_t j = 0; j < std::min(k_, words); ++j) {
    multiply({std::min(T, words - j), F_ * s_, w}, {I.data() + j * w, w}, conv_[j].factor(),
             features.data(), F_ * s_, Into::kAdd);  // (T, F s)
  }
  features.apply([](float x) { return std::max(x, 0.0F); });
  squash(features.values(), s_);
  Matrix u(F_ * T, s_);  // (F T, s)
  for (std::size_t t = 0; t < T; ++t) {
    for (std::size_t f = 0; f < F_; ++f) {
      std::copy_n(features.row(t).subspan(f * s_).begin(), s_, u.row(f * T + t).begin());
    }
  }
  return u;
}

NetworkScores CapsuleNetwork::scores(const DocumentBatch& batch) const {
  const Matrix I = encoder_(batch);  // (B N, w)
  // Q and X have M F s numbers for each document.
  constexpr std::size_t kMostNumbers = std::size_t{1} << 24U;
  const std::size_t at_once = std::max<std::size_t>(kMostNumbers / (M_ * F_ * s_), 1);
  NetworkScores scores;
  scores.combined = Matrix(batch.documents, M_);
  for (std::size_t begin = 0; begin < batch.documents; begin += at_once) {
    std::vector<Matrix> u(std::min(at_once, batch.documents - begin));
    parallel_for(u.size(), batch.threads, [&](std::size_t i) {
      u[i] = primary_capsules({I, (begin + i) * batch.words, batch.length(begin + i)});
    });
    const Matrix v = route_to_labels(u, batch.threads);  // (B, M S)
    for (std::size_t i = 0; i < u.size(); ++i) {
      for (std::size_t j = 0; j < M_; ++j) {
        scores.combined.row(begin + i)[j] = length(v.row(i).subspan(j * S_, S_));
      }
    }
  }
  return scores;
}

Matrix CapsuleNetwork::route_to_labels(const std::vector<Matrix>& u, int threads) const {
  Matrix V = Matrix::filled(u.size(), M_ * S_, 0);
  Matrix v = equal_shares(u, threads);  // (B, M S)
  squash(v.values(), S_);
  for (std::int64_t round = 1; round < routings_; ++round) {
    add_scaled(v.values(), 1, V.values());
    v = agreed_shares(u, V, threads);
    squash(v.values(), S_);
  }
  return v;
}

/// s_j of the first round, in which every label has the same share of each capsule: (B, M S).
Matrix CapsuleNetwork::equal_shares(const std::vector<Matrix>& u, int threads) const {
  Matrix X = Matrix::filled(u.size(), F_ * s_, 0);  // (B, F s)
  for (std::size_t i = 0; i < u.size(); ++i) {
    const std::size_t T = u[i].rows() / F_;
    for (std::size_t row = 0; row < u[i].rows(); ++row) {
      add_scaled(u[i].row(row), 1 / static_cast<float>(M_), X.row(i).subspan(row / T * s_, s_));
    }
  }
  return W_(X, threads);
}

/// s_j where the labels that agree with a capsule have more of it: (B, M S).
Matrix CapsuleNetwork::agreed_shares(const std::vector<Matrix>& u, const Matrix& V,
                                     int threads) const {
  const std::size_t B = u.size();
  const std::size_t width = F_ * s_;
  Matrix Q(B, M_ * width), X(B, M_ * width), s(B, M_ * S_);
  for_each_label(M_, threads, [&](std::size_t j) {
    multiply({B, width, S_}, {V.data() + j * S_, M_ * S_}, {W_.W().row(j * S_).data(), width},
             Q.data() + j * width, M_ * width, Into::kSet);  // (B, F s)
  });
  parallel_for(B, threads, [&](std::size_t i) {
    const std::size_t T = u[i].rows() / F_;
    if (T == 0) {
      std::fill(X.row(i).begin(), X.row(i).end(), 0.0F);
    } else {
      route({F_, T, M_, s_}, u[i].data(), Q.row(i).data(), X.row(i).data());  // (M, F s)
    }
  });
  for_each_label(M_, threads, [&](std::size_t j) {
    multiply_rows({X.data() + j * width, B, M_ * width}, {W_.W().row(j * S_).data(), S_, width},
                  width, s.data() + j * S_, M_ * S_);  // (B, S)
  });
  return s;
}

}  // namespace hmtc
