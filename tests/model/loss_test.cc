#include "model/loss.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/tensors.h"

namespace hmtc {
namespace {

const float kLogitOf80Percent = std::log(4.0F);  // 0.8 / 0.2

LossOptions focal(double gamma) { return {Loss::kFocal, 0, gamma, 0.05}; }

LossOptions asymmetric(double gamma_positive, double gamma_negative, double margin) {
  return {Loss::kAsymmetric, gamma_positive, gamma_negative, margin};
}

double loss_at(const LossOptions& options, float logit, float target) {
  return sum_of_losses(options, torch::tensor({{logit}}), torch::tensor({{target}})).item<double>();
}

double slope_at(const LossOptions& options, float logit, float target) {
  const torch::Tensor x = torch::tensor({{logit}}).set_requires_grad(true);
  sum_of_losses(options, x, torch::tensor({{target}})).backward();
  return x.grad().item<double>();
}

TEST(SumOfLosses, OfNoLabelIsZero) {
  for (const LossOptions& options : {LossOptions{}, focal(2), asymmetric(0, 4, 0.05)}) {
    EXPECT_EQ(sum_of_losses(options, torch::empty({2, 0}), torch::empty({2, 0})).item<double>(), 0);
  }
}

TEST(SumOfLosses, AddsUpDocumentsAndLabels) {
  // At the logit 0 every label costs log 2.
  EXPECT_NEAR(sum_of_losses({}, torch::zeros({2, 3}), torch::eye(2, 3)).item<double>(),
              6 * std::log(2.0), 1e-5);
}

TEST(SumOfLosses, CrossEntropyOfASoftTargetIsTheMixtureOfBothEnds) {
  // -0.25 log 0.8 - 0.75 log 0.2 = 0.0557859 + 1.2070784.
  EXPECT_NEAR(loss_at({}, kLogitOf80Percent, 0.25F), 1.2628643, 1e-6);
  // The slope is p - z.
  EXPECT_NEAR(slope_at({}, kLogitOf80Percent, 0.25F), 0.8 - 0.25, 1e-6);
  // A target equal to the probability is where it cannot get better.
  EXPECT_NEAR(slope_at({}, kLogitOf80Percent, 0.8F), 0, 1e-6);
}

TEST(SumOfLosses, FocalIsAsComputedByHand) {
  EXPECT_NEAR(loss_at(focal(2), kLogitOf80Percent, 1), 0.04 * 0.2231436, 1e-7);  // 0.2^2 -log 0.8
  EXPECT_NEAR(loss_at(focal(2), kLogitOf80Percent, 0), 0.64 * 1.6094379, 1e-6);  // 0.8^2 -log 0.2
  // A soft target: a quarter of the first, three quarters of the second.
  EXPECT_NEAR(loss_at(focal(2), kLogitOf80Percent, 0.25F), 0.0022314 + 0.7725302, 1e-6);
  // p^2 (-log(1 - p)) at p = 0.5: 2 p (p (1 - p)) log 2 + p^2 p = 0.1732868 + 0.125.
  EXPECT_NEAR(slope_at(focal(2), 0, 0), 0.2982868, 1e-6);
}

TEST(SumOfLosses, AsymmetricIsAsComputedByHand) {
  const LossOptions options = asymmetric(1, 3, 0.3);
  EXPECT_NEAR(loss_at(options, kLogitOf80Percent, 1), 0.2 * 0.2231436, 1e-6);
  // p_m = 0.8 - 0.3 = 0.5: 0.5^3 log 2.
  EXPECT_NEAR(loss_at(options, kLogitOf80Percent, 0), 0.125 * 0.6931472, 1e-6);
}

TEST(SumOfLosses, AnAbsentLabelBelowTheMarginCostsNothing) {
  for (const double gamma : {0.0, 0.5, 3.0}) {
    const LossOptions options = asymmetric(0, gamma, 0.3);
    EXPECT_EQ(loss_at(options, -kLogitOf80Percent, 0), 0);  // 0.2 is below 0.3
    EXPECT_EQ(slope_at(options, -kLogitOf80Percent, 0), 0);
    EXPECT_GT(loss_at(options, -kLogitOf80Percent, 1), 1);
  }
}

TEST(SumOfLosses, WithoutFocusAndMarginAllAreTheCrossEntropy) {
  const torch::Tensor logits = torch::tensor({{-30.0F, -2.0F, 0.0F, 0.7F, 5.0F, 30.0F}});
  const torch::Tensor targets = torch::tensor({{0.0F, 1.0F, 0.5F, 0.1F, 1.0F, 0.0F}});
  const double expected = sum_of_losses({}, logits, targets).item<double>();
  EXPECT_NEAR(sum_of_losses(focal(0), logits, targets).item<double>(), expected, 1e-4);
  EXPECT_NEAR(sum_of_losses(asymmetric(0, 0, 0), logits, targets).item<double>(), expected, 1e-4);
}

TEST(SumOfLosses, LargeLogitsHaveFiniteLossesAndSlopes) {
  for (const double gamma : {0.0, 0.5, 1.0, 4.0}) {
    for (const LossOptions& options :
         {focal(gamma), asymmetric(gamma, gamma, 0.05), asymmetric(gamma, gamma, 1e-9)}) {
      for (const float logit : {-1e30F, -1e4F, -100.0F, 0.0F, 100.0F, 1e4F, 1e30F}) {
        for (const float target : {0.0F, 0.5F, 1.0F}) {
          SCOPED_TRACE(testing::Message() << gamma << " " << logit << " " << target);
          EXPECT_TRUE(std::isfinite(loss_at(options, logit, target)));
          EXPECT_TRUE(std::isfinite(slope_at(options, logit, target)));
        }
      }
    }
  }
}

TEST(SumOfLosses, WhatIsUtterlyWrongCostsItsLogitAndIsStillPushedBack) {
  EXPECT_NEAR(loss_at(focal(2), 100, 0), 100, 1e-4);
  EXPECT_NEAR(slope_at(focal(2), 100, 0), 1, 1e-6);
  EXPECT_NEAR(loss_at(focal(2), -100, 1), 100, 1e-4);
  EXPECT_NEAR(slope_at(focal(2), -100, 1), -1, 1e-6);
  // p_m = 0.95, 1 - p_m = 0.05: 0.95^2 * 2.9957323.
  EXPECT_NEAR(loss_at(asymmetric(0, 2, 0.05), 100, 0), 2.7036484, 1e-5);
}

TEST(SumOfLosses, GradientsAreThoseOfSmallDifferences) {
  constexpr double kStep = 1e-5;
  const torch::Tensor logits =
      torch::tensor({{-6.0, -2.0, -0.4, 0.0, 0.9, 3.0, 6.0}}, torch::kFloat64);
  for (const double target : {0.0, 0.3, 1.0}) {
    const torch::Tensor targets = torch::full_like(logits, target);
    for (const LossOptions& options :
         {LossOptions{}, focal(2), focal(0.5), asymmetric(0, 4, 0.05), asymmetric(1.5, 0.5, 0.2)}) {
      const torch::Tensor x = logits.clone().set_requires_grad(true);
      sum_of_losses(options, x, targets).backward();
      for (std::int64_t i = 0; i < logits.size(1); ++i) {
        torch::Tensor above = logits.clone(), below = logits.clone();
        above[0][i] += kStep;
        below[0][i] -= kStep;
        const double difference =
            (sum_of_losses(options, above, targets) - sum_of_losses(options, below, targets))
                .item<double>();
        EXPECT_NEAR(x.grad()[0][i].item<double>(), difference / (2 * kStep), 1e-7)
            << "logit " << logits[0][i].item<double>() << ", target " << target;
      }
    }
  }
}

}  // namespace
}  // namespace hmtc
