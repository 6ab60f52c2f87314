#include "linear/one_vs_rest.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/logistic.h"
#include "base/parallel.h"
#include "linear/logistic_regression.h"

namespace hmtc {
namespace {

void require_equal(const char* what, std::size_t expected, std::size_t found) {
  if (expected == found) return;
  throw Error(ErrorKind::kInternal,
              fmt::format("linear model: expected {} {}, found {}", expected, what, found));
}

/// The rows that carry each label.
std::vector<std::vector<std::size_t>> rows_by_label(const IdRows& truth, std::size_t num_labels) {
  std::vector<std::vector<std::size_t>> rows(num_labels);
  for (std::size_t i = 0; i < truth.num_rows(); ++i) {
    for (const std::int32_t label : truth.row(i)) {
      if (label < 0 || static_cast<std::size_t>(label) >= num_labels) {
        throw Error(
            ErrorKind::kInternal,
            fmt::format("linear model: expected a label id below {}, found {}", num_labels, label));
      }
      std::vector<std::size_t>& carriers = rows[static_cast<std::size_t>(label)];
      if (carriers.empty() || carriers.back() != i) carriers.push_back(i);
    }
  }
  return rows;
}

double smoothed_log_odds(std::size_t count, std::size_t rows) {
  return std::log((static_cast<double>(count) + 0.5) / (static_cast<double>(rows - count) + 0.5));
}

}  // namespace

OneVsRestTrainer::OneVsRestTrainer(const SparseMatrix& x, const IdRows& truth,
                                   std::size_t num_labels, int threads)
    : x_(training_matrix(x)),
      carriers_(rows_by_label(truth, num_labels)),
      row_weights_(x.num_rows() * num_labels),
      threads_(std::max(threads, 1)) {
  require_equal("rows of labels", x.num_rows(), truth.num_rows());
  for (std::size_t label = 0; label < num_labels; ++label) {
    const std::size_t count = carriers_[label].size();
    bias_.push_back(static_cast<float>(smoothed_log_odds(count, x.num_rows())));
    if (count > 0 && count < x.num_rows()) learnable_.push_back(label);
  }
  // Frequent labels take longest: none of them should be begun when the others are done.
  std::stable_sort(learnable_.begin(), learnable_.end(), [&](std::size_t a, std::size_t b) {
    return carriers_[a].size() > carriers_[b].size();
  });
}

LinearModel OneVsRestTrainer::train(double strength) {
  const std::size_t num_labels = bias_.size();
  const std::size_t num_rows = x_.num_rows();
  LogisticOptions options;
  options.strength = strength;
  std::atomic<std::size_t> taken{0};
  const auto next = [&]() -> std::optional<LogisticProblem> {
    const std::size_t place = taken++;
    if (place >= learnable_.size()) return std::nullopt;
    const std::size_t label = learnable_[place];
    LogisticProblem problem{label, carriers_[label], {{}, bias_[label]}};
    for (std::size_t i = 0; has_start_ && i < num_rows; ++i) {
      problem.start.row_weights.push_back(row_weights_[i * num_labels + label]);
    }
    return problem;
  };
  const auto done = [&](std::size_t label, const LogisticFit& fit) {
    bias_[label] = static_cast<float>(fit.solution.bias);
    for (std::size_t i = 0; i < num_rows; ++i) {
      row_weights_[i * num_labels + label] = static_cast<float>(fit.solution.row_weights[i]);
    }
  };
  const auto threads = static_cast<std::size_t>(threads_);
  const std::size_t lanes = (learnable_.size() + threads - 1) / threads;
  parallel_for(threads, threads_,
               [&](std::size_t) { solve_logistic(x_, options, lanes, next, done); });
  has_start_ = true;
  return {weights(), bias_, static_cast<float>(strength)};
}

/// Xᵀ times the weights of the rows.
std::vector<float> OneVsRestTrainer::weights() const {
  constexpr std::size_t kColumnsPerPiece = 512;
  const std::size_t num_labels = bias_.size();
  const SparseMatrix& columns = x_.columns;
  std::vector<float> weights(columns.num_rows() * num_labels);
  const std::size_t pieces = (columns.num_rows() + kColumnsPerPiece - 1) / kColumnsPerPiece;
  parallel_for(pieces, threads_, [&](std::size_t piece) {
    const std::size_t end = std::min((piece + 1) * kColumnsPerPiece, columns.num_rows());
    std::vector<double> sums(num_labels);
    for (std::size_t column = piece * kColumnsPerPiece; column < end; ++column) {
      std::fill(sums.begin(), sums.end(), 0);
      const SparseRow entries = columns.row(column);
      for (std::size_t k = 0; k < entries.size(); ++k) {
        const double value = entries.values[k];
        const float* const from =
            row_weights_.data() + static_cast<std::size_t>(entries.columns[k]) * num_labels;
        for (std::size_t label = 0; label < num_labels; ++label) sums[label] += value * from[label];
      }
      std::copy(sums.begin(), sums.end(),
                weights.begin() + static_cast<std::ptrdiff_t>(column * num_labels));
    }
  });
  return weights;
}

void score(const LinearModel& model, const SparseMatrix& x, std::span<float> probabilities,
           int threads) {
  const std::size_t num_labels = model.num_labels();
  require_equal("weights", x.num_columns * num_labels, model.weights.size());
  require_equal("places for scores", x.num_rows() * num_labels, probabilities.size());
  parallel_for(x.num_rows(), threads, [&](std::size_t i) {
    const std::span<float> scores = probabilities.subspan(i * num_labels, num_labels);
    std::copy(model.bias.begin(), model.bias.end(), scores.begin());
    const SparseRow row = x.row(i);
    for (std::size_t k = 0; k < row.size(); ++k) {
      const float value = row.values[k];
      const float* const weights =
          model.weights.data() + static_cast<std::size_t>(row.columns[k]) * num_labels;
      for (std::size_t label = 0; label < num_labels; ++label)
        scores[label] += value * weights[label];
    }
    for (float& value : scores) value = sigmoid(value);
  });
}

ValidatedLinearModel train_with_validation(const SparseMatrix& x, const IdRows& truth,
                                           std::size_t num_labels, const SparseMatrix& validation_x,
                                           const StrengthSearch& search, int threads) {
  OneVsRestTrainer trainer(x, truth, num_labels, threads);
  ValidatedLinearModel best;
  double best_score = 0;
  double previous_score = 0;
  int falls = 0;
  std::vector<float> probabilities(validation_x.num_rows() * num_labels);
  for (std::size_t i = 0; i < search.strengths.size() && falls < 2; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    LinearModel latest = trainer.train(search.strengths[i]);
    score(latest, validation_x, probabilities, threads);
    const double validation_score = search.validate(probabilities);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    if (search.progress) search.progress({search.strengths[i], validation_score, elapsed.count()});
    falls = i > 0 && validation_score < previous_score ? falls + 1 : 0;
    previous_score = validation_score;
    const bool first_defined = std::isnan(best_score) && !std::isnan(validation_score);
    if (i == 0 || first_defined || validation_score > best_score) {
      best = {std::move(latest), probabilities};
      best_score = validation_score;
    }
    if (search.is_enough && search.is_enough()) break;
  }
  return best;
}

}  // namespace hmtc
