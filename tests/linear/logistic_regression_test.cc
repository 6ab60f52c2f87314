#include "linear/logistic_regression.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "linear/documents.h"
#include "linear/lone_fit.h"
#include "linear/tf_idf.h"

namespace hmtc {
namespace {

using Flags = std::vector<std::uint8_t>;

SparseMatrix matrix(const std::vector<std::vector<float>>& dense, std::size_t num_columns) {
  SparseMatrix result;
  result.num_columns = num_columns;
  for (const auto& row : dense) {
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (row[j] == 0) continue;
      result.columns.push_back(static_cast<std::int32_t>(j));
      result.values.push_back(row[j]);
    }
    result.offsets.push_back(result.columns.size());
  }
  return result;
}

/// The twelve documents of make_expected.py, sublinear.
SparseMatrix twelve_rows() {
  const Documents documents = twelve_documents();
  return TfIdf::fit(documents.rows(), 9, {TfIdfOptions::TermFrequency::kSublinear})
      .transform(documents.rows());
}

const Flags kCommon = {1, 1, 1, 1, 0, 0, 0, 0, 1, 0, 1, 0};
const Flags kRare = {0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0};

double sigmoid(double z) { return 1 / (1 + std::exp(-z)); }

double logit_of(const LoneFit& model, const SparseRow& row) {
  double z = model.bias();
  for (std::size_t k = 0; k < row.size(); ++k) {
    z += model.weights[static_cast<std::size_t>(row.columns[k])] * row.values[k];
  }
  return z;
}

/// The norm of the objective's gradient, from its definition.
double gradient_norm(const SparseMatrix& x, const Flags& positive, double strength,
                     const LoneFit& model) {
  std::vector<double> gradient = model.weights;
  double bias = 0;
  for (std::size_t i = 0; i < x.num_rows(); ++i) {
    const SparseRow row = x.row(i);
    const double error = strength * (sigmoid(logit_of(model, row)) - positive[i]);
    for (std::size_t k = 0; k < row.size(); ++k) {
      gradient[static_cast<std::size_t>(row.columns[k])] += error * row.values[k];
    }
    bias += error;
  }
  double squares = bias * bias;
  for (const double value : gradient) squares += value * value;
  return std::sqrt(squares);
}

void expect_never_rising(const std::vector<double>& objectives) {
  for (std::size_t i = 1; i < objectives.size(); ++i) EXPECT_LE(objectives[i], objectives[i - 1]);
}

TEST(LogisticRegression, WithoutFeaturesTheBiasIsTheLogOdds) {
  // One of four positive: ln(1 / 3).
  const SparseMatrix x = matrix({{}, {}, {}, {}}, 0);
  const LoneFit fit = fit_alone(x, Flags{1, 0, 0, 0}, {.strength = 1, .gradient_norm = 1e-9});
  EXPECT_NEAR(fit.bias(), -1.0986123, 1e-6);
  EXPECT_TRUE(fit.weights.empty());
}

TEST(LogisticRegression, AnEmptyRowCountsForTheBiasOnly) {
  const SparseMatrix x = matrix({{1}, {1}, {0}, {0}}, 1);
  const LoneFit fit = fit_alone(x, Flags{1, 1, 1, 0}, {.strength = 1, .gradient_norm = 1e-9});
  EXPECT_NEAR(gradient_norm(x, {1, 1, 1, 0}, 1, fit), 0, 1e-8);
  EXPECT_GT(fit.weights[0], 0);
}

TEST(LogisticRegression, TwoOppositeRowsHaveTheKnownOptimum) {
  // Rows 1 (positive) and -1: b = 0 and w = 2·C·sigmoid(-w). With C = 0.5·(1 + e) the optimum is
  // w = 1, as sigmoid(-1) = 1 / (1 + e).
  const double strength = 0.5 * (1 + std::exp(1.0));
  const LoneFit fit =
      fit_alone(matrix({{1}, {-1}}, 1), Flags{1, 0}, {.strength = strength, .gradient_norm = 1e-9});
  EXPECT_NEAR(fit.weights[0], 1, 1e-8);
  EXPECT_NEAR(fit.bias(), 0, 1e-8);
}

TEST(LogisticRegression, TheGradientVanishesAtTheSolution) {
  const SparseMatrix x = twelve_rows();
  for (const double strength : {0.01, 1.0, 1000.0}) {
    const LoneFit fit = fit_alone(x, kCommon, {.strength = strength, .gradient_norm = 1e-7});
    EXPECT_LE(gradient_norm(x, kCommon, strength, fit), 1.1e-7) << strength;
    EXPECT_LE(fit.fit.gradient_norm, 1e-7);
  }
}

struct Expected {
  const Flags& positive;
  double strength;
  double objective;
  std::vector<double> probabilities;
};

TEST(LogisticRegression, AgreesWithScikitLearn) {
  // Literals of make_expected.py.
  const std::vector<Expected> cases = {
      {kCommon,
       0.5,
       3.570916,
       {0.650756, 0.569315, 0.648251, 0.586634, 0.433050, 0.348177, 0.397114, 0.447759, 0.509418,
        0.450969, 0.612815, 0.345746}},
      {kCommon,
       100,
       107.296058,
       {0.998680, 0.968193, 0.998826, 0.920736, 0.024765, 0.000846, 0.028483, 0.093651, 0.894174,
        0.079728, 0.991310, 0.000606}},
      {kRare,
       8,
       23.391260,
       {0.015879, 0.011583, 0.022980, 0.102085, 0.158289, 0.502010, 0.159776, 0.680590, 0.136158,
        0.031384, 0.050581, 0.128684}},
      {kRare,
       100,
       93.889837,
       {0.000174, 0.000031, 0.000452, 0.023832, 0.053967, 0.841586, 0.051396, 0.957995, 0.024778,
        0.000699, 0.002382, 0.042706}},
  };
  const SparseMatrix x = twelve_rows();
  for (const Expected& expected : cases) {
    const LoneFit fit = fit_alone(x, expected.positive, {.strength = expected.strength});
    EXPECT_NEAR(fit.fit.objectives.back(), expected.objective, 1e-4);
    for (std::size_t i = 0; i < x.num_rows(); ++i) {
      EXPECT_NEAR(sigmoid(logit_of(fit, x.row(i))), expected.probabilities[i], 1e-3)
          << "C " << expected.strength << ", row " << i;
    }
  }
}

TEST(LogisticRegression, TheWeightsAgreeWithScikitLearn) {
  const LoneFit fit = fit_alone(twelve_rows(), kCommon, {.strength = 8, .gradient_norm = 1e-6});
  const std::vector<double> expected = {0,        0,         1.867603,  0.738445, 2.209103,
                                        0.402741, -1.118501, -3.285614, -0.418386};
  for (std::size_t j = 0; j < expected.size(); ++j) {
    EXPECT_NEAR(fit.weights[j], expected[j], 1e-4);
  }
  EXPECT_NEAR(fit.bias(), 0.097479, 1e-4);
}

TEST(LogisticRegression, SeparableRowsAreSeparatedWithFiniteWeights) {
  const SparseMatrix x = matrix({{1, 0}, {1, 0}, {0, 1}, {0, 1}}, 2);
  const Flags positive = {1, 1, 0, 0};
  const LoneFit fit = fit_alone(x, positive, {.strength = 1e6});
  EXPECT_GT(logit_of(fit, x.row(0)), 5);
  EXPECT_LT(logit_of(fit, x.row(2)), -5);
  EXPECT_LT(std::abs(fit.weights[0]), 100);
  EXPECT_LE(gradient_norm(x, positive, 1e6, fit), 4.1e-3);
  expect_never_rising(fit.fit.objectives);
}

TEST(LogisticRegression, TheObjectiveNeverRisesEvenFromABadStart) {
  const SparseMatrix x = twelve_rows();
  const LogisticWeights bad{std::vector<double>(12, -40), 60};
  const LoneFit fit = fit_alone(x, kRare, {.strength = 50}, bad);
  ASSERT_GE(fit.fit.objectives.size(), 3U);
  expect_never_rising(fit.fit.objectives);
  EXPECT_LE(gradient_norm(x, kRare, 50, fit), 4.1e-3);
}

TEST(LogisticRegression, AWarmStartAtTheOptimumStaysThere) {
  const SparseMatrix x = twelve_rows();
  const LoneFit first = fit_alone(x, kCommon, {.strength = 4});
  const LoneFit second = fit_alone(x, kCommon, {.strength = 4}, first.fit.solution);
  EXPECT_EQ(second.fit.objectives.size(), 1U);
  EXPECT_EQ(second.weights, first.weights);
}

TEST(LogisticRegression, ProblemsSideBySideDoNotTouchEachOther) {
  // Ten problems in three lanes, so that lanes are used again, and each of them alone.
  const SparseMatrix x = twelve_rows();
  const LogisticOptions options{.strength = 8};
  std::vector<std::vector<std::size_t>> positives;
  for (std::size_t i = 0; i < 10; ++i) positives.push_back({i, i + 1, (5 * i + 3) % 12});
  for (auto& rows : positives) {
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  }
  std::vector<LogisticFit> fits(positives.size());
  std::size_t next = 0;
  solve_logistic(
      training_matrix(x), options, 3,
      [&]() -> std::optional<LogisticProblem> {
        if (next == positives.size()) return std::nullopt;
        const std::size_t id = next++;
        return LogisticProblem{id, positives[id], {}};
      },
      [&](std::size_t id, LogisticFit fit) { fits[id] = std::move(fit); });
  for (std::size_t id = 0; id < positives.size(); ++id) {
    Flags flags(12, 0);
    for (const std::size_t row : positives[id]) flags[row] = 1;
    const LoneFit alone = fit_alone(x, flags, options);
    EXPECT_EQ(fits[id].solution.row_weights, alone.fit.solution.row_weights) << id;
    EXPECT_EQ(fits[id].objectives, alone.fit.objectives) << id;
    EXPECT_LE(gradient_norm(x, flags, 8, alone), 4.1e-3) << id;
  }
}

TEST(LogisticRegression, FrequentColumnsAreMultipliedLikeRareOnes) {
  // The twelve rows seven times over with a seventh of the strength have the same optimum; words
  // that stood in 4 to 6 rows now stand in 28 to 42, and those in 32 or more are frequent.
  const SparseMatrix once = twelve_rows();
  SparseMatrix seven = once;
  Flags positive = kCommon;
  for (int i = 1; i < 7; ++i) {
    positive.insert(positive.end(), kCommon.begin(), kCommon.end());
    seven.columns.insert(seven.columns.end(), once.columns.begin(), once.columns.end());
    seven.values.insert(seven.values.end(), once.values.begin(), once.values.end());
    for (std::size_t row = 1; row <= 12; ++row) {
      seven.offsets.push_back(static_cast<std::size_t>(i) * once.columns.size() +
                              once.offsets[row]);
    }
  }
  ASSERT_GT(training_matrix(seven).frequent.num_columns, 0U);
  ASSERT_FALSE(training_matrix(seven).rare.empty());
  const LoneFit fit = fit_alone(seven, positive, {.strength = 8.0 / 7, .gradient_norm = 1e-7});
  const LoneFit expected = fit_alone(once, kCommon, {.strength = 8, .gradient_norm = 1e-7});
  for (std::size_t j = 0; j < expected.weights.size(); ++j) {
    EXPECT_NEAR(fit.weights[j], expected.weights[j], 1e-5);
  }
  EXPECT_LE(gradient_norm(seven, positive, 8.0 / 7, fit), 1.1e-7);
}

TEST(LogisticRegression, WithoutAProblemNothingIsDone) {
  solve_logistic(
      training_matrix(twelve_rows()), {}, 8, [] { return std::nullopt; },
      [](std::size_t, const LogisticFit&) { FAIL(); });
}

}  // namespace
}  // namespace hmtc
