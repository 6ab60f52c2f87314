#include "learn/adam.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/expect_error.h"
#include "support/tensors.h"

namespace hmtc {
namespace {

constexpr Tolerance kRounding{1e-6, 1e-7};
constexpr double kNoClipping = 1e9;

/// A dense parameter of two numbers and a table of three rows.
struct TwoParameters : torch::nn::Module {
  TwoParameters() {
    dense = register_parameter("dense", torch::ones({2}));
    table = register_parameter("table", torch::ones({3, 2}));
    unused = register_parameter("unused", torch::ones({1}));
  }
  torch::Tensor dense, table, unused;
};

torch::Tensor row_gradient(const std::vector<std::int64_t>& rows,
                           const std::vector<float>& values) {
  return torch::sparse_coo_tensor(
      torch::tensor(rows).unsqueeze(0),
      torch::tensor(values).view({static_cast<std::int64_t>(rows.size()), 2}), {3, 2});
}

TEST(Adam, WithoutAnyGradientNothingMoves) {
  TwoParameters model;
  Adam adam(model);
  EXPECT_EQ(adam.step(0.1, kNoClipping), 0);
  EXPECT_TRUE(torch::equal(model.dense, torch::ones({2})));
}

TEST(Adam, TwoStepsAreAsComputedByHand) {
  // The arithmetic stands in tests/kernels/adam_update_test.cc: 1, 0.9, 0.9052632 for gradients 1
  // and -1. The second number has gradients 1 and 1: every step is the learning rate.
  TwoParameters model;
  Adam adam(model);
  model.dense.mutable_grad() = torch::tensor({1.0F, 1.0F});
  EXPECT_NEAR(adam.step(0.1, kNoClipping), std::sqrt(2.0), 1e-6);
  expect_close(model.dense, torch::tensor({0.9F, 0.9F}), kRounding, "first step");
  EXPECT_FALSE(model.dense.grad().defined());
  model.dense.mutable_grad() = torch::tensor({-1.0F, 1.0F});
  adam.step(0.1, kNoClipping);
  expect_close(model.dense, torch::tensor({0.9052632F, 0.8F}), kRounding, "second step");
  EXPECT_TRUE(torch::equal(model.unused, torch::ones({1})));
}

TEST(Adam, WhatGetsItsFirstGradientLateBeginsWithAStepOfTheLearningRate) {
  // By the count of all steps, 100, it would be 0.1 · 0.1 / (1 − 0.9¹⁰⁰) · √(1 − 0.999¹⁰⁰) / √0.001
  // = 0.098 in the first step, and from there on up to 0.2 and more.
  TwoParameters model;
  Adam adam(model);
  const auto step = [&](bool is_frozen) {
    model.dense.mutable_grad() = torch::tensor({1.0F, 1.0F});
    if (!is_frozen) model.table.mutable_grad() = row_gradient({0}, {1, 1});
    adam.step(0.1, kNoClipping);
  };
  for (int i = 0; i < 99; ++i) step(/*is_frozen=*/true);
  EXPECT_TRUE(torch::equal(model.table, torch::ones({3, 2})));
  for (int i = 0; i < 5; ++i) step(/*is_frozen=*/false);
  expect_close(model.table[0], torch::tensor({0.5F, 0.5F}), kRounding, "five steps");
}

TEST(Adam, TheNormOverAllGradientsTogetherIsClipped) {
  // sqrt(3^2 + 4^2 + 12^2) = 13, cut to 1.3: every gradient is a tenth; the first moment is a tenth
  // of that.
  TwoParameters model;
  Adam adam(model);
  model.dense.mutable_grad() = torch::tensor({3.0F, 4.0F});
  model.table.mutable_grad() = row_gradient({1}, {12, 0});
  EXPECT_NEAR(adam.step(0.1, 1.3), 13, 1e-5);
  TensorFile moments;
  adam.store(moments);
  expect_close(read_tensor(moments, "adam.first_moment/dense"), torch::tensor({0.03F, 0.04F}),
               kRounding, "dense");
  expect_close(read_tensor(moments, "adam.first_moment/table"),
               torch::tensor({{0.0F, 0.0F}, {0.12F, 0.0F}, {0.0F, 0.0F}}), kRounding, "table");
}

TEST(Adam, AGradientBelowTheNormIsLeftAsItIs) {
  TwoParameters model;
  Adam adam(model);
  model.dense.mutable_grad() = torch::tensor({3.0F, 4.0F});
  EXPECT_NEAR(adam.step(0.1, 5.1), 5, 1e-5);
  TensorFile moments;
  adam.store(moments);
  expect_close(read_tensor(moments, "adam.first_moment/dense"), torch::tensor({0.3F, 0.4F}),
               kRounding, "dense");
}

TEST(Adam, RepeatedRowsOfASparseGradientCountTogetherInNormAndStep) {
  // Row 2 twice: (1, 0) + (2, 4) = (3, 4) with norm 5, not sqrt(1 + 4 + 16).
  TwoParameters model;
  Adam adam(model);
  model.table.mutable_grad() = row_gradient({2, 2}, {1, 0, 2, 4});
  EXPECT_NEAR(adam.step(0.1, kNoClipping), 5, 1e-5);
  expect_close(model.table, torch::tensor({{1.0F, 1.0F}, {1.0F, 1.0F}, {0.9F, 0.9F}}), kRounding,
               "table");
}

TEST(Adam, RowsWithoutAGradientKeepValuesAndMoments) {
  TwoParameters model;
  Adam adam(model);
  model.table.mutable_grad() = row_gradient({0}, {1, 1});
  adam.step(0.1, kNoClipping);
  const torch::Tensor row = model.table[0].detach().clone();
  model.table.mutable_grad() = row_gradient({1}, {1, 1});
  adam.step(0.1, kNoClipping);
  // A dense Adam would move row 0 again, by its momentum.
  EXPECT_TRUE(torch::equal(model.table[0], row));
  TensorFile moments;
  adam.store(moments);
  EXPECT_NEAR(read_tensor(moments, "adam.first_moment/table")[0][0].item<float>(), 0.1, 1e-6);
}

/// A matrix beside what does not decay.
struct WithMatrix : TwoParameters {
  WithMatrix() { matrix = register_parameter("matrix", torch::ones({2, 2})); }
  torch::Tensor matrix;
};

TEST(Adam, WeightDecayIsForMatricesAndNeitherForVectorsNorForRowsOfATable) {
  // A first step of 0.1 from 1; the matrix is 1 - 0.1 * 0.5 before it.
  WithMatrix model;
  Adam adam(model);
  model.matrix.mutable_grad() = torch::tensor({{1.0F, 1.0F}, {1.0F, 0.0F}});
  model.dense.mutable_grad() = torch::tensor({1.0F, 0.0F});
  model.table.mutable_grad() = row_gradient({1}, {1, 0});
  adam.step(0.1, kNoClipping, /*weight_decay=*/0.5);
  expect_close(model.matrix, torch::tensor({{0.85F, 0.85F}, {0.85F, 0.95F}}), kRounding, "matrix");
  expect_close(model.dense, torch::tensor({0.9F, 1.0F}), kRounding, "dense");
  expect_close(model.table, torch::tensor({{1.0F, 1.0F}, {0.9F, 1.0F}, {1.0F, 1.0F}}), kRounding,
               "table");
}

TEST(Adam, WhatHasNoGradientDoesNotDecay) {
  WithMatrix model;
  Adam adam(model);
  model.dense.mutable_grad() = torch::tensor({1.0F, 1.0F});
  adam.step(0.1, kNoClipping, /*weight_decay=*/0.5);
  EXPECT_TRUE(torch::equal(model.matrix, torch::ones({2, 2})));
}

TEST(Adam, AGradientThatIsNotFiniteChangesNothing) {
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    TwoParameters model;
    Adam adam(model);
    model.dense.mutable_grad() = torch::tensor({1.0F, bad});
    model.table.mutable_grad() = row_gradient({0}, {1, 1});
    EXPECT_FALSE(std::isfinite(adam.step(0.1, 1)));
    EXPECT_TRUE(torch::equal(model.dense, torch::ones({2})));
    EXPECT_TRUE(torch::equal(model.table, torch::ones({3, 2})));
    TensorFile moments;
    adam.store(moments);
    EXPECT_EQ(int_values(moments.tensors.at("adam.steps/table")), std::vector<std::int64_t>{0});
    EXPECT_EQ(read_tensor(moments, "adam.first_moment/table").abs().sum().item<float>(), 0);
  }
}

/// Tensors that are cut into several pieces, the rows of the table not at whole multiples.
struct LargeParameters : torch::nn::Module {
  LargeParameters() {
    torch::manual_seed(3);
    dense = register_parameter("dense", torch::randn({150'000}));
    table = register_parameter("table", torch::randn({5'000, 50}));
  }
  torch::Tensor dense, table;
};

TEST(Adam, AnyNumberOfThreadsGivesTheSameBits) {
  torch::manual_seed(4);
  const torch::Tensor of_dense = torch::randn({150'000});
  const torch::Tensor of_rows = torch::randn({3'000, 50});
  const torch::Tensor rows = torch::randint(5'000, {1, 3'000});
  const auto stepped = [&](int threads) {
    LargeParameters model;
    Adam adam(model, threads);
    for (int step = 0; step < 2; ++step) {
      model.dense.mutable_grad() = of_dense.clone();
      model.table.mutable_grad() = torch::sparse_coo_tensor(rows, of_rows, {5'000, 50});
      adam.step(0.1, 1);
    }
    return model;
  };
  const LargeParameters start;
  const LargeParameters one = stepped(1);
  // Rows without a gradient stay, all others move, up to the last number.
  const torch::Tensor has_gradient = torch::zeros({5'000}).index_fill_(0, rows[0], 1) > 0;
  EXPECT_TRUE(torch::equal((one.table != start.table).any(1), has_gradient));
  EXPECT_TRUE((one.dense != start.dense).all().item<bool>());
  for (const int threads : {2, 3}) {
    const LargeParameters several = stepped(threads);
    EXPECT_TRUE(torch::equal(several.dense, one.dense)) << threads;
    EXPECT_TRUE(torch::equal(several.table, one.table)) << threads;
  }
}

TEST(Adam, StoredMomentsGoOnAsIfNothingHadHappened) {
  const auto step = [](TwoParameters& model, Adam& adam, float gradient, bool is_frozen = false) {
    model.dense.mutable_grad() = torch::tensor({gradient, 2.0F});
    if (!is_frozen) model.table.mutable_grad() = row_gradient({0}, {gradient, 2});
    adam.step(0.1, kNoClipping);
  };
  TwoParameters through, halted;
  Adam whole(through), first_half(halted);
  for (const bool is_frozen : {true, false}) {
    step(through, whole, 1, is_frozen);
    step(halted, first_half, 1, is_frozen);
  }
  TensorFile stored;
  first_half.store(stored);
  Adam second_half(halted);
  second_half.load(parse_tensor_file(to_bytes(stored), "test"), "test");
  step(through, whole, -3);
  step(halted, second_half, -3);
  EXPECT_TRUE(torch::equal(halted.dense, through.dense));
  EXPECT_TRUE(torch::equal(halted.table, through.table));
}

TEST(Adam, MissingMomentsAreRefused) {
  TwoParameters model;
  Adam adam(model);
  expect_error(ErrorKind::kModel, {"adam.first_moment/dense", "checkpoint"},
               [&] { adam.load({}, "checkpoint"); });
}

}  // namespace
}  // namespace hmtc
