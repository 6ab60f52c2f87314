#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "linear/training_matrix.h"

namespace hmtc {

struct LogisticOptions {
  double strength = 1;  ///< C: the weight of the data against the penalty

  /// The search ends when the gradient's norm is at most this. The penalty makes the objective
  /// 1-strongly convex in the weights, so (at equal bias) they are then at most this far from the
  /// optimum, and so is the logit of every row of unit length; as the sigmoid's slope is at most
  /// 1/4, every probability is right to 0.001.
  double gradient_norm = 4e-3;

  int max_newton_steps = 100;  ///< a guard; five to ten are usual
};

/// What a binary logistic regression knows: P(positive | x) = sigmoid(w · x + bias). The optimal w
/// is a sum of the training rows, w = Xᵀ a, and is held as the weight a_i of every row.
struct LogisticWeights {
  std::vector<double> row_weights;  ///< a; empty: all 0
  double bias = 0;
};

/// One regression of several over the same rows.
struct LogisticProblem {
  std::size_t id = 0;                      ///< the caller's own
  std::span<const std::size_t> positives;  ///< rows, all others are negative
  LogisticWeights start;                   ///< shortens the search, does not change what is found
};

struct LogisticFit {
  LogisticWeights solution;
  std::vector<double> objectives;  ///< at the start and after every Newton step; never rising
  double gradient_norm = 0;        ///< at the solution
};

/// For every problem that `next` gives, until it gives none, minimises
///   0.5·|w|² + C·Σ_i log(1 + exp(-y_i·(w·x_i + b))),  y_i = 1 for positive rows, else -1,
/// the bias b being free of the penalty, and hands the result to done(id, fit). Up to `lanes`
/// problems (at most kNumLanes) are solved side by side, none of which has an influence on another.
///
/// By Newton's method; the step comes from conjugate gradients, which need products of the Hessian
/// with a vector only. Vectors are held as weights of the rows: rows are fewer than columns where
/// pairs of words are columns, a product is X Xᵀ times a vector, and eight problems share one sweep
/// over the matrix. Against dual coordinate descent: it has no random order, takes a free bias,
/// starts from any weights, and its last steps converge quadratically.
void solve_logistic(const TrainingMatrix& x, const LogisticOptions& options, std::size_t lanes,
                    const std::function<std::optional<LogisticProblem>()>& next,
                    const std::function<void(std::size_t id, LogisticFit fit)>& done);

}  // namespace hmtc
