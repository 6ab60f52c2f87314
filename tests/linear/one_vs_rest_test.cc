#include "linear/one_vs_rest.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/random.h"
#include "linear/lone_fit.h"
#include "support/expect_error.h"

namespace hmtc {
namespace {

/// Four rows over two words; labels: 0 on the first two rows, 1 on none, 2 on all, 3 on row 3.
struct Tiny {
  SparseMatrix x{{0, 1, 2, 3, 3}, {0, 0, 1}, {1, 1, 1}, 2};
  std::vector<std::size_t> offsets = {0, 2, 4, 5, 7};
  std::vector<std::int32_t> labels = {0, 2, 0, 2, 2, 2, 3};
  IdRows truth{offsets, labels};
};

/// Rows of ten random words out of forty; label l where one of its three words occurs.
struct RandomData {
  static constexpr std::size_t kLabels = 13;
  SparseMatrix x;
  std::vector<std::size_t> offsets = {0};
  std::vector<std::int32_t> labels;

  RandomData(std::size_t rows, std::uint64_t seed) {
    Random random(seed);
    x.num_columns = 40;
    for (std::size_t i = 0; i < rows; ++i) {
      std::vector<bool> has(40, false);
      for (int k = 0; k < 10; ++k) has[random.below(40)] = true;
      for (std::int32_t word = 0; word < 40; ++word) {
        if (!has[static_cast<std::size_t>(word)]) continue;
        x.columns.push_back(word);
        x.values.push_back(0.3F);
      }
      x.offsets.push_back(x.columns.size());
      for (std::size_t label = 0; label < kLabels; ++label) {
        if (has[3 * label] || has[3 * label + 1])
          labels.push_back(static_cast<std::int32_t>(label));
      }
      offsets.push_back(labels.size());
    }
  }
  IdRows truth() const { return {offsets, labels}; }
};

/// From scratch, on one thread.
LinearModel train(const SparseMatrix& x, const IdRows& truth, std::size_t num_labels,
                  double strength) {
  return OneVsRestTrainer(x, truth, num_labels, 1).train(strength);
}

TEST(OneVsRest, ALabelThatNoRowOrEveryRowHasGetsItsSmoothedShare) {
  const Tiny tiny;
  const LinearModel model = train(tiny.x, tiny.truth, 4, 8);
  // ln(0.5 / 4.5) and ln(4.5 / 0.5): probabilities 0.5 / 5 and 4.5 / 5 for every document.
  EXPECT_FLOAT_EQ(model.bias[1], -2.1972246F);
  EXPECT_FLOAT_EQ(model.bias[2], 2.1972246F);
  std::vector<float> probabilities(16);
  score(model, tiny.x, probabilities, 1);
  for (std::size_t row = 0; row < 4; ++row) {
    EXPECT_NEAR(probabilities[row * 4 + 1], 0.1F, 1e-6);
    EXPECT_NEAR(probabilities[row * 4 + 2], 0.9F, 1e-6);
  }
}

TEST(OneVsRest, NoDocumentsGiveEvenOdds) {
  const LinearModel model = train({}, {}, 2, 1);
  EXPECT_EQ(model.bias, (std::vector<float>{0, 0}));
}

TEST(OneVsRest, EveryLabelIsItsOwnLogisticRegression) {
  const Tiny tiny;
  const LinearModel model = train(tiny.x, tiny.truth, 4, 8);
  EXPECT_EQ(model.strength, 8.0F);
  const LoneFit alone = fit_alone(tiny.x, {1, 1, 0, 0}, {.strength = 8});
  for (std::size_t word = 0; word < 2; ++word) {
    EXPECT_NEAR(model.weights[word * 4], alone.weights[word], 4e-3);
  }
  EXPECT_NEAR(model.bias[0], alone.bias(), 4e-3);
}

TEST(OneVsRest, ScoresAreSigmoidsOfWeightsTimesValuesPlusBias) {
  // Two labels, two words. Row 0: word 0 · 1, word 1 · 0.5; row 1 is empty.
  LinearModel model;
  model.weights = {1, -2, 2, 4};
  model.bias = {-2, 3};
  const SparseMatrix x{{0, 2, 2}, {0, 1}, {1, 0.5F}, 2};
  std::vector<float> probabilities(4);
  score(model, x, probabilities, 2);
  EXPECT_FLOAT_EQ(probabilities[0], 0.5F);         // sigmoid(1 + 1 - 2)
  EXPECT_FLOAT_EQ(probabilities[1], 0.95257413F);  // sigmoid(-2 + 2 + 3)
  EXPECT_FLOAT_EQ(probabilities[2], 0.11920292F);  // sigmoid(-2)
  EXPECT_FLOAT_EQ(probabilities[3], 0.95257413F);  // sigmoid(3)
}

TEST(OneVsRest, HugeLogitsGiveZeroAndOne) {
  LinearModel model;
  model.bias = {-1000, 1000};
  std::vector<float> probabilities(2);
  score(model, SparseMatrix{{0, 0}, {}, {}, 0}, probabilities, 1);
  EXPECT_EQ(probabilities, (std::vector<float>{0, 1}));
}

TEST(OneVsRest, TheNumberOfThreadsChangesNothing) {
  const RandomData data(80, 1);
  const auto train_twice = [&](int threads) {
    OneVsRestTrainer trainer(data.x, data.truth(), 13, threads);
    trainer.train(1);
    return trainer.train(8);
  };
  const LinearModel one = train_twice(1);
  for (const int threads : {2, 4}) {
    const LinearModel several = train_twice(threads);
    EXPECT_EQ(several.weights, one.weights);
    EXPECT_EQ(several.bias, one.bias);
  }
}

TEST(OneVsRest, AWarmStartFindsTheSameModel) {
  const RandomData data(80, 2);
  const LinearModel cold = train(data.x, data.truth(), 13, 8);
  OneVsRestTrainer trainer(data.x, data.truth(), 13, 1);
  trainer.train(0.5);
  const LinearModel warm = trainer.train(8);
  for (std::size_t i = 0; i < cold.weights.size(); ++i) {
    EXPECT_NEAR(warm.weights[i], cold.weights[i], 8e-3);
  }
}

TEST(OneVsRest, ALabelOutOfRangeIsRefused) {
  const Tiny tiny;
  expect_error(ErrorKind::kInternal, {"label id below 3", "found 3"},
               [&] { train(tiny.x, tiny.truth, 3, 1); });
}

TEST(OneVsRest, ALabelGivenTwiceCountsOnce) {
  Tiny tiny;
  const LinearModel once = train(tiny.x, tiny.truth, 4, 1);
  tiny.labels = {0, 2, 0, 2, 2, 2, 3, 3};
  tiny.offsets.back() = 8;
  tiny.truth = {tiny.offsets, tiny.labels};
  EXPECT_EQ(train(tiny.x, tiny.truth, 4, 1).weights, once.weights);
}

TEST(OneVsRest, SizesThatDoNotFitAreRefused) {
  const Tiny tiny;
  const LinearModel model = train(tiny.x, tiny.truth, 4, 1);
  expect_error(ErrorKind::kInternal, {"4 rows of labels", "found 0"},
               [&] { train(tiny.x, {}, 4, 1); });
  std::vector<float> probabilities(15);
  expect_error(ErrorKind::kInternal, {"16 places", "found 15"},
               [&] { score(model, tiny.x, probabilities, 1); });
}

/// The strengths tried and the one kept when validation gives these scores in turn.
struct SearchOutcome {
  std::vector<double> tried;
  float kept = 0;
};

SearchOutcome search_with_scores(const std::vector<double>& scores) {
  const Tiny tiny;
  SearchOutcome outcome;
  StrengthSearch search;
  search.strengths = {1, 2, 4, 8, 16};
  search.validate = [&](std::span<const float> probabilities) {
    EXPECT_EQ(probabilities.size(), 16U);
    return scores[outcome.tried.size()];
  };
  search.progress = [&](const StrengthReport& report) {
    EXPECT_GE(report.seconds, 0);
    outcome.tried.push_back(report.strength);
  };
  const auto [model, kept] = train_with_validation(tiny.x, tiny.truth, 4, tiny.x, search, 1);
  std::vector<float> again(16);
  score(model, tiny.x, again, 1);
  EXPECT_EQ(kept, again);
  outcome.kept = model.strength;
  return outcome;
}

TEST(TrainWithValidation, StopsAfterTwoFallsInARow) {
  const SearchOutcome outcome = search_with_scores({0.5, 0.7, 0.6, 0.5, 0.9});
  EXPECT_EQ(outcome.tried, (std::vector<double>{1, 2, 4, 8}));
  EXPECT_EQ(outcome.kept, 2.0F);
}

TEST(TrainWithValidation, OneFallIsForgiven) {
  const SearchOutcome outcome = search_with_scores({0.5, 0.4, 0.6, 0.55, 0.7});
  EXPECT_EQ(outcome.tried.size(), 5U);
  EXPECT_EQ(outcome.kept, 16.0F);
}

TEST(TrainWithValidation, OfEqualScoresTheFirstIsKept) {
  EXPECT_EQ(search_with_scores({0.5, 0.6, 0.6, 0.6, 0.6}).kept, 2.0F);
}

TEST(TrainWithValidation, AnUndefinedScoreNeverWins) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(search_with_scores({nan, nan, nan, nan, nan}).kept, 1.0F);
  EXPECT_EQ(search_with_scores({nan, 0.3, 0.4, nan, nan}).kept, 4.0F);
}

}  // namespace
}  // namespace hmtc
