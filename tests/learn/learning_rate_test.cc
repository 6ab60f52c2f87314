#include "learn/learning_rate.h"

#include <gtest/gtest.h>

namespace hmtc {
namespace {

constexpr double kRounding = 1e-12;

/// Of the rate 1 that never decays.
TrainOptions constant() {
  TrainOptions options;
  options.learning_rate = 1;
  options.decay = 1;
  return options;
}

TrainOptions cosine(std::int64_t warmup_steps) {
  TrainOptions options = constant();
  options.schedule = Schedule::kCosine;
  options.warmup_steps = warmup_steps;
  options.decay = 0.001;  // has no part in it
  options.decay_steps = 1;
  return options;
}

TEST(LearningRate, FallsByTheDecayEveryFewSteps) {
  TrainOptions options = constant();
  options.learning_rate = 0.01;
  options.decay = 0.5;
  options.decay_steps = 3;
  EXPECT_NEAR(learning_rate_at(options, 0, 10), 0.01, kRounding);
  EXPECT_NEAR(learning_rate_at(options, 2, 10), 0.01, kRounding);
  EXPECT_NEAR(learning_rate_at(options, 3, 10), 0.005, kRounding);
  EXPECT_NEAR(learning_rate_at(options, 9, 10), 0.00125, kRounding);
}

TEST(LearningRate, RisesEvenlyDuringTheWarmup) {
  TrainOptions options = constant();
  options.warmup_steps = 4;
  const double expected[] = {0.25, 0.5, 0.75, 1, 1, 1};
  for (std::int64_t step = 0; step < 6; ++step) {
    EXPECT_NEAR(learning_rate_at(options, step, 100), expected[step], kRounding) << step;
  }
}

TEST(LearningRate, TheWarmupMultipliesWhatTheDecayLeaves) {
  TrainOptions options = constant();
  options.warmup_steps = 4;
  options.decay = 0.5;
  options.decay_steps = 2;
  const double expected[] = {0.25, 0.5, 0.75 * 0.5, 0.5, 0.25};
  for (std::int64_t step = 0; step < 5; ++step) {
    EXPECT_NEAR(learning_rate_at(options, step, 100), expected[step], kRounding) << step;
  }
}

TEST(LearningRate, TheCosineFallsFromAllToNothing) {
  // (1 + cos(pi k / 8)) / 2 for k = 0, 2, 4, 6, 8.
  const double expected[] = {1, 0.8535533906, 0.5, 0.1464466094, 0};
  for (std::int64_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(learning_rate_at(cosine(0), 2 * i, 8), expected[i], 1e-9) << i;
  }
}

TEST(LearningRate, TheCosineBeginsAfterTheWarmup) {
  const double expected[] = {0.25, 0.5, 0.75, 1, 1, 0.8535533906, 0.5, 0.1464466094, 0};
  for (std::int64_t step = 0; step < 9; ++step) {
    EXPECT_NEAR(learning_rate_at(cosine(4), step, 8), expected[step], 1e-9) << step;
  }
}

TEST(LearningRate, AWarmupLongerThanTheRunJustRises) {
  for (std::int64_t step = 0; step <= 5; ++step) {
    EXPECT_NEAR(learning_rate_at(cosine(10), step, 5), 0.1 * static_cast<double>(step + 1), 1e-9);
  }
}

}  // namespace
}  // namespace hmtc
