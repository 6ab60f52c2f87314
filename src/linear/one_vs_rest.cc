#include "linear/one_vs_rest.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
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

LogisticWeights column(const LinearModel& model, std::size_t label) {
  LogisticWeights result{{}, model.bias[label]};
  result.weights.reserve(model.weights.size() / model.num_labels());
  for (std::size_t i = label; i < model.weights.size(); i += model.num_labels()) {
    result.weights.push_back(model.weights[i]);
  }
  return result;
}

void set_column(LinearModel& model, std::size_t label, const LogisticWeights& solution) {
  model.bias[label] = static_cast<float>(solution.bias);
  for (std::size_t feature = 0; feature < solution.weights.size(); ++feature) {
    model.weights[feature * model.num_labels() + label] =
        static_cast<float>(solution.weights[feature]);
  }
}

}  // namespace

LinearModel train_one_vs_rest(const SparseMatrix& x, const IdRows& truth, std::size_t num_labels,
                              double strength, int threads, const LinearModel* warm_start) {
  require_equal("rows of labels", x.num_rows(), truth.num_rows());
  if (warm_start != nullptr) {
    require_equal("labels in the warm start", num_labels, warm_start->num_labels());
    require_equal("weights in the warm start", x.num_columns * num_labels,
                  warm_start->weights.size());
  }
  LinearModel model;
  model.weights.resize(x.num_columns * num_labels, 0.0F);
  model.bias.resize(num_labels);
  model.strength = static_cast<float>(strength);
  const auto rows = rows_by_label(truth, num_labels);
  parallel_for(num_labels, threads, [&](std::size_t label) {
    const double log_odds = smoothed_log_odds(rows[label].size(), x.num_rows());
    model.bias[label] = static_cast<float>(log_odds);
    if (rows[label].empty() || rows[label].size() == x.num_rows()) return;
    std::vector<std::uint8_t> positive(x.num_rows(), 0);
    for (const std::size_t row : rows[label]) positive[row] = 1;
    LogisticWeights start{{}, log_odds};
    if (warm_start != nullptr) start = column(*warm_start, label);
    LogisticOptions options;
    options.strength = strength;
    set_column(model, label, fit_logistic(x, positive, options, std::move(start)).solution);
  });
  return model;
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

LinearModel train_with_validation(const SparseMatrix& x, const IdRows& truth,
                                  std::size_t num_labels, const SparseMatrix& validation_x,
                                  const StrengthSearch& search, int threads) {
  LinearModel best;
  LinearModel latest;
  double best_score = 0;
  double previous_score = 0;
  int falls = 0;
  std::vector<float> probabilities(validation_x.num_rows() * num_labels);
  for (std::size_t i = 0; i < search.strengths.size() && falls < 2; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    latest = train_one_vs_rest(x, truth, num_labels, search.strengths[i], threads,
                               i == 0 ? nullptr : &latest);
    score(latest, validation_x, probabilities, threads);
    const double validation_score = search.validate(probabilities);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    if (search.progress) search.progress({search.strengths[i], validation_score, elapsed.count()});
    falls = i > 0 && validation_score < previous_score ? falls + 1 : 0;
    previous_score = validation_score;
    const bool first_defined = std::isnan(best_score) && !std::isnan(validation_score);
    if (i == 0 || first_defined || validation_score > best_score) {
      best = latest;
      best_score = validation_score;
    }
  }
  return best;
}

}  // namespace hmtc
