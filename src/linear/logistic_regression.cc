#include "linear/logistic_regression.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "kernels/gram_product.h"
#include "linear/lane_rows.h"

namespace hmtc {
namespace {

constexpr double kForcing = 0.02;  // residual of a step, as a share of the gradient
constexpr int kMaxConjugateSteps = 200;

enum class State {
  kIdle,
  kStart,      // waits for the logits of its start
  kGradient,   // waits for the logits of the loss's gradient
  kConjugate,  // waits for the product of the Hessian with its search direction
};

/// What belongs to one problem as a whole.
struct Lane {
  State state = State::kIdle;
  std::size_t id = 0;
  std::vector<std::uint8_t> positive;  // per row
  double bias = 0, step_bias = 0, residual_bias = 0, search_bias = 0;
  double squares = 0;    // of the residual
  double keep = 0;       // share of the last search direction in the next
  double promise = 0;    // how far the step should take the objective down, to first order
  double tolerance = 0;  // of the residual's norm
  int conjugate_steps = 0;
  LogisticFit fit;
};

SparseLists lists_of(const SparseMatrix& matrix) {
  return {matrix.offsets, matrix.columns, matrix.values};
}

class LaneSolver {
 public:
  LaneSolver(const TrainingMatrix& x, const LogisticOptions& options,
             const std::function<std::optional<LogisticProblem>()>& next,
             const std::function<void(std::size_t, LogisticFit)>& done)
      : x_(x),
        options_(options),
        next_(next),
        done_(done),
        rows_(x.num_rows()),
        input_(rows_.size()),
        product_(rows_.size()),
        scratch_(x.frequent.num_columns) {}

  /// Each sweep over the matrix takes every lane one step further, whatever it waits for.
  void run(std::size_t num_lanes) {
    for (std::size_t lane = 0; lane < num_lanes; ++lane) begin_problem(lane);
    while (std::any_of(lanes_.begin(), lanes_.end(),
                       [](const Lane& lane) { return lane.state != State::kIdle; })) {
      multiply();
      step_along();
      for (std::size_t lane = 0; lane < num_lanes; ++lane) proceed(lane);
      choose();
    }
  }

 private:
  void begin_problem(std::size_t lane) {
    Lane& it = lanes_[lane];
    const std::optional<LogisticProblem> problem = next_();
    const bool has_start = problem && !problem->start.row_weights.empty();
    it = Lane{};
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const double weight = has_start ? problem->start.row_weights[i] : 0;
      rows_[i].weight.lane[lane] = input_[i].lane[lane] = weight;
      rows_[i].weight_logit.lane[lane] = 0;
      rows_[i].step.lane[lane] = rows_[i].step_logit.lane[lane] = 0;
    }
    if (!problem) return;
    it.id = problem->id;
    it.bias = problem->start.bias;
    it.positive.resize(rows_.size());
    for (const std::size_t row : problem->positives) it.positive[row] = 1;
    it.state = State::kStart;
    if (!has_start) evaluate_start(lane);
  }

  /// What follows from the product that the lane has waited for.
  void proceed(std::size_t lane) {
    Lane& it = lanes_[lane];
    switch (it.state) {
      case State::kIdle:
        return;
      case State::kStart:
        for (std::size_t i = 0; i < rows_.size(); ++i) {
          rows_[i].weight_logit.lane[lane] = product_[i].lane[lane];
        }
        evaluate_start(lane);
        return;
      case State::kGradient:
        take_gradient(lane);
        return;
      case State::kConjugate:
        if (std::sqrt(it.squares) > it.tolerance && it.conjugate_steps < kMaxConjugateSteps) return;
        if (descend(lane)) {
          it.state = State::kGradient;
        } else {
          finish(lane);
        }
        return;
    }
  }

  /// product_ = X Xᵀ input_
  void multiply() {
    std::fill(product_.begin(), product_.end(), LaneRow{});
    add_gram_product_by_rows(lists_of(x_.frequent), input_.data(), product_.data(), scratch_.size(),
                             scratch_.data());
    add_gram_product_by_columns(lists_of(x_.columns), x_.rare, input_.data(), product_.data());
  }

  void evaluate_start(std::size_t lane) {
    lanes_[lane].fit.objectives.push_back(evaluate(lane, 0));
    lanes_[lane].state = State::kGradient;
  }

  /// The objective `length` times the step away. Leaves there the loss's gradient by each row's
  /// logit as the lane's input, and the curvature.
  double evaluate(std::size_t lane, double length) {
    const Lane& it = lanes_[lane];
    const double bias = it.bias + length * it.step_bias;
    double squares = 0;
    double loss = 0;
    double odds = 1;  // a product of 1 + exp(-|z|): one logarithm for many rows
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      SolverRow& row = rows_[i];
      const double weight = row.weight.lane[lane] + length * row.step.lane[lane];
      const double logit = row.weight_logit.lane[lane] + length * row.step_logit.lane[lane];
      squares += weight * logit;
      const double z = logit + bias;
      const double small = std::exp(-std::abs(z));  // never overflows
      const double likely = 1 / (1 + small);
      const double p = z >= 0 ? likely : small * likely;
      odds *= 1 + small;
      if (odds > 1e100) loss += std::log(std::exchange(odds, 1));
      loss += std::max(it.positive[i] ? -z : z, 0.0);
      input_[i].lane[lane] = options_.strength * (p - it.positive[i]);
      // Never 0, or the bias, which has no penalty, could have a direction without curvature.
      row.curvature.lane[lane] = options_.strength * std::max(p * (1 - p), 1e-12);
    }
    return 0.5 * squares + options_.strength * (loss + std::log(odds));
  }

  /// Gradient = Xᵀ (a + derivative of the loss): ends the search or begins a Newton step.
  void take_gradient(std::size_t lane) {
    Lane& it = lanes_[lane];
    it.squares = 0;
    it.residual_bias = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      SolverRow& row = rows_[i];
      const double residual = -(row.weight.lane[lane] + input_[i].lane[lane]);
      const double logit = -(row.weight_logit.lane[lane] + product_[i].lane[lane]);
      row.residual.lane[lane] = residual;
      row.residual_logit.lane[lane] = logit;
      row.search.lane[lane] = row.search_logit.lane[lane] = 0;
      it.squares += residual * logit;
      it.residual_bias -= input_[i].lane[lane];
    }
    it.squares += it.residual_bias * it.residual_bias;
    const double norm = std::sqrt(std::max(it.squares, 0.0));
    it.fit.gradient_norm = norm;
    const auto steps = static_cast<int>(it.fit.objectives.size()) - 1;
    if (norm <= options_.gradient_norm || steps >= options_.max_newton_steps) {
      finish(lane);
      return;
    }
    // Far from the optimum a rough step is as good as an exact one.
    it.tolerance = std::max(kForcing * norm, 0.5 * options_.gradient_norm);
    it.promise = 0;
    it.conjugate_steps = 0;
    it.search_bias = it.residual_bias;
    it.keep = 0;
    it.state = State::kConjugate;
  }

  /// Conjugate gradients: to the minimum along the search direction.
  void step_along() {
    LaneRow length;
    for (std::size_t lane = 0; lane < kNumLanes; ++lane) {
      const Lane& it = lanes_[lane];
      if (it.state == State::kConjugate) {
        length.lane[lane] = it.squares / sums_.curvature.lane[lane];
      }
    }
    const LaneRow squares = step_along_search(rows_, input_, product_, length);
    for (std::size_t lane = 0; lane < kNumLanes; ++lane) {
      Lane& it = lanes_[lane];
      if (it.state != State::kConjugate) continue;
      const double by = length.lane[lane];
      it.step_bias += by * it.search_bias;
      it.residual_bias -= by * sums_.input.lane[lane];
      it.promise += by * it.squares;
      ++it.conjugate_steps;
      const double left = std::max(squares.lane[lane], 0.0) + it.residual_bias * it.residual_bias;
      it.keep = left / std::exchange(it.squares, left);
      it.search_bias = it.residual_bias + it.keep * it.search_bias;
    }
  }

  /// Then the next direction.
  void choose() {
    SearchChoice choice;
    for (std::size_t lane = 0; lane < kNumLanes; ++lane) {
      const Lane& it = lanes_[lane];
      if (it.state != State::kConjugate) continue;
      choice.keep.lane[lane] = it.keep;
      choice.bias.lane[lane] = it.search_bias;
      choice.searching.lane[lane] = 1;
    }
    sums_ = choose_search(rows_, choice, input_);
  }

  /// Halves the step until the objective falls by a share of what the slope promises. False when
  /// rounding hides any progress.
  bool descend(std::size_t lane) {
    constexpr double kShare = 1e-4;
    Lane& it = lanes_[lane];
    for (double length = 1; length > 1e-10; length /= 2) {
      const double objective = evaluate(lane, length);
      if (objective > it.fit.objectives.back() - kShare * length * it.promise) continue;
      it.fit.objectives.push_back(objective);
      it.bias += length * std::exchange(it.step_bias, 0);
      for (SolverRow& row : rows_) {
        row.weight.lane[lane] += length * std::exchange(row.step.lane[lane], 0);
        row.weight_logit.lane[lane] += length * std::exchange(row.step_logit.lane[lane], 0);
      }
      return true;
    }
    return false;
  }

  void finish(std::size_t lane) {
    Lane& it = lanes_[lane];
    it.fit.solution.bias = it.bias;
    it.fit.solution.row_weights.resize(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      it.fit.solution.row_weights[i] = rows_[i].weight.lane[lane];
    }
    done_(it.id, std::move(it.fit));
    begin_problem(lane);
  }

  const TrainingMatrix& x_;
  const LogisticOptions& options_;
  const std::function<std::optional<LogisticProblem>()>& next_;
  const std::function<void(std::size_t, LogisticFit)>& done_;
  std::vector<SolverRow> rows_;
  std::vector<LaneRow> input_;    // of the next product
  std::vector<LaneRow> product_;  // X Xᵀ times input_
  std::vector<LaneRow> scratch_;
  std::array<Lane, kNumLanes> lanes_;
  SearchSums sums_;
};

}  // namespace

void solve_logistic(const TrainingMatrix& x, const LogisticOptions& options, std::size_t lanes,
                    const std::function<std::optional<LogisticProblem>()>& next,
                    const std::function<void(std::size_t id, LogisticFit fit)>& done) {
  LaneSolver(x, options, next, done).run(std::min(lanes, kNumLanes));
}

}  // namespace hmtc
