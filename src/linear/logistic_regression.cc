#include "linear/logistic_regression.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hmtc {
namespace {

/// Weights and bias in one vector, the bias last.
using Parameters = std::vector<double>;

constexpr double kForcing = 0.02;  // residual of a step, as a share of the gradient

double dot(std::span<const double> a, std::span<const double> b) {
  // Four sums, because one would wait for each addition to finish before the next.
  double sums[4] = {0, 0, 0, 0};
  std::size_t i = 0;
  for (; i + 4 <= a.size(); i += 4) {
    for (std::size_t k = 0; k < 4; ++k) sums[k] += a[i + k] * b[i + k];
  }
  for (; i < a.size(); ++i) sums[0] += a[i] * b[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

double norm(std::span<const double> a) { return std::sqrt(dot(a, a)); }

/// a += factor · b
void add(std::span<double> a, double factor, std::span<const double> b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += factor * b[i];
}

/// weights · row + bias
double logit(const SparseRow& row, const Parameters& parameters) {
  const double* const weights = parameters.data();
  double even = parameters.back();
  double odd = 0;
  std::size_t k = 0;
  for (; k + 2 <= row.size(); k += 2) {
    even += row.values[k] * weights[row.columns[k]];
    odd += row.values[k + 1] * weights[row.columns[k + 1]];
  }
  if (k < row.size()) even += row.values[k] * weights[row.columns[k]];
  return even + odd;
}

/// result += factor · (row, 1)
void add_row(Parameters& result, double factor, const SparseRow& row) {
  double* const weights = result.data();
  for (std::size_t k = 0; k < row.size(); ++k) weights[row.columns[k]] += factor * row.values[k];
  result.back() += factor;
}

/// A place of the search, with what every formula there needs.
struct Point {
  Parameters parameters;
  std::vector<double> logits;         // one per row
  std::vector<double> probabilities;  // sigmoid of the logits
  double objective = 0;
};

struct Step {
  Parameters direction;
  std::vector<double> logits;  // how much each row's logit changes along it
};

class LogisticProblem {
 public:
  LogisticProblem(const SparseMatrix& x, std::span<const std::uint8_t> positive, double strength)
      : x_(x), positive_(positive), strength_(strength) {}

  Point start_at(LogisticWeights start) const {
    Point point;
    point.parameters = std::move(start.weights);
    point.parameters.resize(x_.num_columns, 0.0);
    point.parameters.push_back(start.bias);
    point.logits.resize(x_.num_rows());
    for (std::size_t i = 0; i < x_.num_rows(); ++i) {
      point.logits[i] = logit(x_.row(i), point.parameters);
    }
    evaluate(point);
    return point;
  }

  /// The point `length` times the step away.
  Point move(const Point& from, double length, const Step& step) const {
    Point point = from;
    add(point.parameters, length, step.direction);
    add(point.logits, length, step.logits);
    evaluate(point);
    return point;
  }

  Parameters gradient(const Point& point) const {
    Parameters gradient = point.parameters;
    gradient.back() = 0;  // the bias is free of the penalty
    for (std::size_t i = 0; i < x_.num_rows(); ++i) {
      add_row(gradient, strength_ * (point.probabilities[i] - positive_[i]), x_.row(i));
    }
    return gradient;
  }

  /// The direction d with Hessian · d = -gradient, up to a residual of norm `tolerance`, by
  /// conjugate gradients. Without a preconditioner: dividing by the Hessian's diagonal, or by the
  /// bias's entry alone, doubled the sweeps on news and e-mail from C = 16 on.
  Step newton_step(const Point& point, const Parameters& gradient, double tolerance) const {
    const std::vector<double> curvature = curvature_of(point);
    Step step{Parameters(gradient.size(), 0.0), std::vector<double>(x_.num_rows(), 0.0)};
    Parameters residual(gradient.size(), 0.0);
    add(residual, -1, gradient);
    Parameters search = residual;
    Parameters product(gradient.size());
    std::vector<double> search_logits(x_.num_rows());
    double squares = dot(residual, residual);
    for (int i = 0; i < kMaxConjugateSteps && std::sqrt(squares) > tolerance; ++i) {
      hessian_times(search, curvature, product, search_logits);
      const double length = squares / dot(search, product);
      add(step.direction, length, search);
      add(step.logits, length, search_logits);
      add(residual, -length, product);
      const double previous = std::exchange(squares, dot(residual, residual));
      const double keep = squares / previous;
      for (std::size_t j = 0; j < search.size(); ++j) search[j] = residual[j] + keep * search[j];
    }
    return step;
  }

 private:
  static constexpr int kMaxConjugateSteps = 200;

  /// Objective and probabilities from parameters and logits.
  void evaluate(Point& point) const {
    point.probabilities.resize(point.logits.size());
    double loss = 0;
    for (std::size_t i = 0; i < point.logits.size(); ++i) {
      const double z = point.logits[i];
      const double small = std::exp(-std::abs(z));  // never overflows
      const double likely = 1 / (1 + small);
      point.probabilities[i] = z >= 0 ? likely : small * likely;
      loss += std::log1p(small) + std::max(positive_[i] ? -z : z, 0.0);
    }
    const auto weights = std::span(point.parameters).first(x_.num_columns);
    point.objective = 0.5 * dot(weights, weights) + strength_ * loss;
  }

  /// The second derivative of the loss by each row's logit.
  std::vector<double> curvature_of(const Point& point) const {
    std::vector<double> curvature(point.probabilities);
    // Never 0, or the bias, which has no penalty, could have a direction without curvature.
    for (double& p : curvature) p = strength_ * std::max(p * (1 - p), 1e-12);
    return curvature;
  }

  /// One sweep over the rows; also gives the change of every logit along `vector`.
  void hessian_times(const Parameters& vector, const std::vector<double>& curvature,
                     Parameters& product, std::vector<double>& logits) const {
    product = vector;
    product.back() = 0;
    for (std::size_t i = 0; i < x_.num_rows(); ++i) {
      const SparseRow row = x_.row(i);
      logits[i] = logit(row, vector);
      add_row(product, curvature[i] * logits[i], row);
    }
  }

  const SparseMatrix& x_;
  std::span<const std::uint8_t> positive_;
  double strength_;
};

/// Halves the step until the objective falls by a share of what the slope promises. False when
/// rounding hides any progress.
bool descend(const LogisticProblem& problem, const Step& step, double slope, Point& point) {
  constexpr double kShare = 1e-4;
  for (double length = 1; length > 1e-10; length /= 2) {
    Point next = problem.move(point, length, step);
    if (next.objective <= point.objective + kShare * length * slope) {
      point = std::move(next);
      return true;
    }
  }
  return false;
}

}  // namespace

LogisticFit fit_logistic(const SparseMatrix& x, std::span<const std::uint8_t> positive,
                         const LogisticOptions& options, LogisticWeights start) {
  const LogisticProblem problem(x, positive, options.strength);
  Point point = problem.start_at(std::move(start));
  LogisticFit fit;
  fit.objectives.push_back(point.objective);
  Parameters gradient = problem.gradient(point);
  fit.gradient_norm = norm(gradient);
  for (int i = 0; i < options.max_newton_steps && fit.gradient_norm > options.gradient_norm; ++i) {
    // Far from the optimum a rough step is as good as an exact one.
    const double tolerance = std::max(kForcing * fit.gradient_norm, 0.5 * options.gradient_norm);
    const Step step = problem.newton_step(point, gradient, tolerance);
    if (!descend(problem, step, dot(gradient, step.direction), point)) break;
    fit.objectives.push_back(point.objective);
    gradient = problem.gradient(point);
    fit.gradient_norm = norm(gradient);
  }
  fit.solution.bias = point.parameters.back();
  point.parameters.pop_back();
  fit.solution.weights = std::move(point.parameters);
  return fit;
}

}  // namespace hmtc
