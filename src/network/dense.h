#pragma once

#include <vector>

#include "network/matrix.h"
#include "network/weights.h"

namespace hmtc {

/// A layer over documents: x W^T + b for x (B, in), with W (out, in) and b (out) or none. W is read
/// where it lies. On up to `threads` threads, with the same bits on any number of them.
class Dense {
 public:
  Dense() = default;
  explicit Dense(Matrix W, std::vector<float> b = {}) : W_(std::move(W)), b_(std::move(b)) {}
  /// The tensors `weight` and, unless told otherwise, `bias`.
  enum class Bias { kNone, kOwn };
  Dense(const Weights& weights, std::size_t in, std::size_t out, Bias bias = Bias::kOwn);

  Matrix operator()(const Matrix& x, int threads = 1) const;

  const Matrix& W() const { return W_; }
  std::size_t out() const { return W_.rows(); }

 private:
  Matrix W_;
  std::vector<float> b_;
};

}  // namespace hmtc
