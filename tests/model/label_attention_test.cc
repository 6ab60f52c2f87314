#include "model/label_attention.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/tensors.h"

namespace hmtc {
namespace {

constexpr Tolerance kRounding{1e-5, 1e-6};

/// One document of two words, one label, one component, all widths one.
LabelAttentionInput one_of_everything() {
  return {.I = torch::tensor({4.0F, 8.0F}).view({1, 2, 1}),
          .lengths = torch::full({1}, 2, torch::kInt64),
          // tanh(0.25 * 4 - 1) = 0, tanh(0.25 * 8 - 1) = tanh(1)
          .f_w = torch::full({1, 1}, 0.25F),
          .f_w_shift = torch::full({1, 1}, -1.0F),
          .v_c = torch::full({1, 1}, std::log(3.0F) / std::tanh(1.0F)),
          .R_tilde = torch::ones({1, 1}),
          .W = torch::full({1, 1}, 2.0F),
          .b = torch::full({1}, -4.0F),
          .m = torch::full({1, 1}, 0.5F),
          .label_readout = torch::full({1, 1}, 3.0F)};
}

double only(const torch::Tensor& tensor) { return tensor.item<double>(); }

TEST(LabelAttention, ADocumentOfPaddingAloneHasNoAttentionAndOnlyTheBias) {
  LabelAttentionInput input = one_of_everything();
  input.lengths = torch::zeros({1}, torch::kInt64);
  input.b = torch::full({1}, 1.5F);
  const LabelAttentionOutput out = label_attention(input, Detail::kEverything);
  EXPECT_EQ(out.A.abs().sum().item<float>(), 0);
  EXPECT_EQ(only(out.D), 1.5);  // relu(0 + 1.5)
}

TEST(LabelAttention, OneLabelIsAsComputedByHand) {
  // S = (0, ln 3); A = (1, 3) / 4; A I = 1 + 6 = 7; D = relu(2 * 7 - 4) = 10; D~ = 0.5 * 10;
  // with one label the means are D~ and D; the logit is 3 * 5.
  const LabelAttentionOutput out = label_attention(one_of_everything(), Detail::kEverything);
  EXPECT_NEAR(only(out.S[0][1]), std::log(3.0), 1e-6);
  EXPECT_NEAR(only(out.A[0][0][0]), 0.25, 1e-6);
  EXPECT_NEAR(only(out.A[0][0][1]), 0.75, 1e-6);
  EXPECT_NEAR(only(out.D), 10, 1e-5);
  EXPECT_NEAR(only(out.D_tilde), 5, 1e-5);
  EXPECT_NEAR(only(out.v_tilde), 5, 1e-5);
  EXPECT_NEAR(only(out.v), 10, 1e-5);
  EXPECT_NEAR(only(out.local_logits), 15, 1e-5);
}

TEST(LabelAttention, TwoLabelsMixTheComponentsAndAverageTheirRows) {
  // Two components: S = ((0, 0), (ln 3, 0)). Label 0 takes the first alone: A = (1, 3) / 4, A I
  // = 7. Label 1 takes the second alone: A = (1, 1) / 2, A I = 6. W = 1, b = 0: D = (7, 6). m =
  // (0.5, 1): D~ = (3.5, 6); v~ = 4.75, v = 6.5.
  LabelAttentionInput input = one_of_everything();
  input.v_c = torch::cat({input.v_c, torch::zeros({1, 1})});
  input.R_tilde = torch::eye(2);
  input.W = torch::ones({1, 1});
  input.b = torch::zeros({1});
  input.m = torch::tensor({{0.5F, 1.0F}});
  input.label_readout = torch::tensor({{1.0F}, {-1.0F}});
  const LabelAttentionOutput out = label_attention(input, Detail::kEverything);
  expect_close(out.D.flatten(), torch::tensor({7.0F, 6.0F}), kRounding, "D");
  expect_close(out.D_tilde.flatten(), torch::tensor({3.5F, 6.0F}), kRounding, "D~");
  EXPECT_NEAR(only(out.v_tilde), 4.75, 1e-5);
  EXPECT_NEAR(only(out.v), 6.5, 1e-5);
  expect_close(out.local_logits.flatten(), torch::tensor({3.5F, -6.0F}), kRounding, "logits");
}

TEST(LabelAttention, AWordsBiasIsAddedToItsLogitForEveryLabel) {
  // Logits (0, ln 3) and bias (ln 6, 0): A = (6, 3) / 9; A I = (2 * 4 + 8) / 3 = 16 / 3; D =
  // relu(2 * 16 / 3 - 4) = 20 / 3.
  LabelAttentionInput input = one_of_everything();
  input.word_bias = torch::tensor({{std::log(6.0F), 0.0F}});
  const LabelAttentionOutput out = label_attention(input, Detail::kEverything);
  EXPECT_NEAR(only(out.S[0][1]), std::log(3.0), 1e-6);
  EXPECT_NEAR(only(out.A[0][0][0]), 2.0 / 3, 1e-6);
  EXPECT_NEAR(only(out.D), 20.0 / 3, 1e-5);
  EXPECT_NEAR(only(label_attention(input, Detail::kResults).v), 20.0 / 3, 1e-5);
}

TEST(LabelAttention, ABiasThatAllWordsShareChangesNothing) {
  LabelAttentionInput input = one_of_everything();
  input.word_bias = torch::full({1, 2}, 7.0F);
  for (const Detail detail : {Detail::kEverything, Detail::kResults}) {
    EXPECT_NEAR(only(label_attention(input, detail).v), 10, 1e-5);
  }
}

TEST(LabelAttention, AnUndefinedConfidenceIsOne) {
  LabelAttentionInput input = one_of_everything();
  input.m = torch::Tensor();
  const LabelAttentionOutput out = label_attention(input, Detail::kEverything);
  EXPECT_TRUE(torch::equal(out.D_tilde, out.D));
  EXPECT_NEAR(only(out.local_logits), 30, 1e-5);
}

TEST(LabelAttention, ANegativeSumIsCutToZero) {
  LabelAttentionInput input = one_of_everything();
  input.b = torch::full({1}, -20.0F);  // 14 - 20 < 0
  EXPECT_EQ(only(label_attention(input, Detail::kEverything).D), 0);
}

TEST(LabelAttention, AHugeScoreAtAPaddedWordChangesNothing) {
  LabelAttentionInput input = one_of_everything();
  const auto with_padding = [](const torch::Tensor& words, float padding) {
    return torch::cat({words, torch::full({1, 1, 1}, padding)}, 1);
  };
  input.I = with_padding(input.I, 1e6F);
  input.lengths = torch::full({1}, 2, torch::kInt64);
  const LabelAttentionOutput out = label_attention(input, Detail::kEverything);
  EXPECT_EQ(only(out.A[0][0][2]), 0);
  EXPECT_NEAR(only(out.D), 10, 1e-5);
}

/// D of one document, one number at a time, straight from Eq. 1, 4 and 5.
torch::Tensor naive_D(const LabelAttentionInput& input) {
  const std::int64_t N = input.I.size(1), L = input.R_tilde.size(0), d = input.W.size(0);
  torch::Tensor D = torch::zeros({L, d}, torch::kFloat64);
  for (std::int64_t j = 0; j < L; ++j) {
    double sum = 0;
    std::vector<double> weights;
    for (std::int64_t i = 0; i < N; ++i) {
      double logit = 0;
      for (std::int64_t c = 0; c < input.v_c.size(0); ++c) {
        const auto projected =
            torch::tanh(torch::mv(input.f_w, input.I[0][i]) + input.f_w_shift[0]);
        logit += only(input.R_tilde[j][c]) * only(projected.dot(input.v_c[c]));
      }
      weights.push_back(std::exp(logit));
      sum += weights.back();
    }
    for (std::int64_t k = 0; k < d; ++k) {
      double value = only(input.b[k]);
      for (std::int64_t i = 0; i < N; ++i) {
        value += weights[static_cast<std::size_t>(i)] / sum * only(input.I[0][i].dot(input.W[k]));
      }
      D[j][k] = std::max(value, 0.0);
    }
  }
  return D;
}

TEST(LabelAttention, BothOrdersOfTheProductGiveWhatADoubleLoopGives) {
  torch::manual_seed(5);
  // L < N: A I first; L > N: I W first.
  for (const auto& [L, N] : {std::pair{1, 9}, std::pair{9, 1}, std::pair{2, 8}, std::pair{8, 2}}) {
    LabelAttentionInput input{.I = torch::randn({1, N, 3}),
                              .lengths = torch::full({1}, N, torch::kInt64),
                              .f_w = torch::randn({4, 3}),
                              .f_w_shift = torch::randn({1, 4}),
                              .v_c = torch::randn({5, 4}),
                              .R_tilde = torch::softmax(torch::randn({L, 5}), -1),
                              .W = torch::randn({2, 3}),
                              .b = torch::randn({2}),
                              .m = {},
                              .label_readout = torch::randn({L, 2})};
    expect_close(label_attention(input, Detail::kEverything).D[0], naive_D(input), kRounding,
                 std::to_string(L) + " labels, " + std::to_string(N) + " words");
  }
}

}  // namespace
}  // namespace hmtc
