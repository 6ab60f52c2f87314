#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "linear/sparse_matrix.h"

namespace hmtc {

/// What a binary logistic regression knows: P(positive | x) = sigmoid(weights · x + bias).
struct LogisticWeights {
  std::vector<double> weights;  ///< one per column of x
  double bias = 0;
};

struct LogisticOptions {
  double strength = 1;  ///< C: the weight of the data against the penalty

  /// The search ends when the gradient's norm is at most this. The penalty makes the objective
  /// 1-strongly convex in the weights, so (at equal bias) they are then at most this far from the
  /// optimum, and so is the logit of every row of unit length; as the sigmoid's slope is at most
  /// 1/4, every probability is right to 0.001.
  double gradient_norm = 4e-3;

  int max_newton_steps = 100;  ///< a guard; five to ten are usual
};

struct LogisticFit {
  LogisticWeights solution;
  std::vector<double> objectives;  ///< at the start and after every Newton step; never rising
  double gradient_norm = 0;        ///< at the solution
};

/// Minimises
///   0.5·|w|² + C·Σ_i log(1 + exp(-y_i·(w·x_i + b))),  y_i = 1 where positive[i], else -1,
/// the bias b being free of the penalty. `start` (weights empty: all 0) shortens the search, it
/// does not change what is found.
///
/// By Newton's method in the primal; the step comes from conjugate gradients, which need products
/// of the Hessian with a vector only, each one sweep over the sparse rows. Against dual coordinate
/// descent: it has no random order, takes a free bias, starts from any weights (the dual needs a
/// feasible start for each C), and its last steps converge quadratically.
LogisticFit fit_logistic(const SparseMatrix& x, std::span<const std::uint8_t> positive,
                         const LogisticOptions& options, LogisticWeights start = {});

}  // namespace hmtc
