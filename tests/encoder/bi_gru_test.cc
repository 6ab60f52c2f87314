#include "encoder/bi_gru.h"

#include <gtest/gtest.h>

#include "support/instruction_sets.h"
#include "support/tensors.h"

namespace hmtc {
namespace {

constexpr Tolerance kRounding{1e-4, 1e-5};

struct Sizes {
  std::int64_t words;
  std::int64_t input_width;
  std::int64_t width;
  std::vector<std::int64_t> lengths;
};

/// torch's own GRU over packed sequences.
torch::Tensor oracle(torch::nn::GRU& gru, const torch::Tensor& vectors,
                     const torch::Tensor& lengths) {
  const auto packed =
      torch::nn::utils::rnn::pack_padded_sequence(vectors, lengths, true, /*enforce_sorted=*/false);
  return std::get<0>(torch::nn::utils::rnn::pad_packed_sequence(
      std::get<0>(gru->forward_with_packed_input(packed)), true, 0.0, vectors.size(1)));
}

torch::nn::GRU make_gru(const Sizes& sizes) {
  return torch::nn::GRU(
      torch::nn::GRUOptions(sizes.input_width, sizes.width).batch_first(true).bidirectional(true));
}

/// The gradients of all parameters and of the vectors, which are then forgotten.
std::vector<torch::Tensor> take_gradients(torch::nn::GRU& gru, torch::Tensor& vectors) {
  std::vector<torch::Tensor> gradients = {vectors.grad().clone()};
  vectors.mutable_grad().reset();
  for (torch::Tensor& parameter : gru->parameters()) {
    gradients.push_back(parameter.grad().clone());
    parameter.mutable_grad().reset();
  }
  return gradients;
}

TEST(BiGru, OutputAndEveryGradientAgreeWithTorch) {
  torch::manual_seed(11);
  for (const Sizes& sizes :
       {Sizes{1, 1, 1, {1}}, Sizes{5, 3, 4, {2, 5, 1}}, Sizes{7, 17, 33, {7, 7, 3, 1, 6}},
        Sizes{40, 10, 16, {40, 1}}, Sizes{3, 20, 8, std::vector<std::int64_t>(19, 3)}}) {
    torch::nn::GRU gru = make_gru(sizes);
    const torch::Tensor lengths = torch::tensor(sizes.lengths);
    torch::Tensor vectors =
        torch::randn({lengths.size(0), sizes.words, sizes.input_width}).requires_grad_();
    const torch::Tensor expected = oracle(gru, vectors, lengths);
    const torch::Tensor direction = torch::randn_like(expected);
    expected.backward(direction);
    const std::vector<torch::Tensor> expected_gradients = take_gradients(gru, vectors);

    for_each_instruction_set([&] {
      const torch::Tensor actual = bi_gru(vectors, lengths, gru->parameters());
      expect_close(actual, expected, kRounding, "output");
      actual.backward(direction);
      const std::vector<torch::Tensor> gradients = take_gradients(gru, vectors);
      for (std::size_t i = 0; i < gradients.size(); ++i) {
        expect_close(gradients[i], expected_gradients[i], kRounding,
                     "gradient " + std::to_string(i));
      }
      const torch::NoGradGuard no_grad;
      expect_close(bi_gru(vectors, lengths, gru->parameters()), expected, kRounding, "no grad");
    });
  }
}

TEST(BiGru, EmptyDocumentsAreZeroAndHaveNoGradient) {
  const Sizes sizes{3, 2, 4, {}};
  torch::nn::GRU gru = make_gru(sizes);
  torch::Tensor vectors = torch::randn({2, 3, 2}).requires_grad_();
  for (const std::vector<std::int64_t>& lengths :
       {std::vector<std::int64_t>{0, 0}, std::vector<std::int64_t>{0, 2}}) {
    const torch::Tensor out = bi_gru(vectors, torch::tensor(lengths), gru->parameters());
    EXPECT_EQ(out[0].abs().sum().item<float>(), 0);
    out.sum().backward();
    EXPECT_EQ(vectors.grad()[0].abs().sum().item<float>(), 0);
  }
}

TEST(BiGru, WhatStandsAtPaddingChangesNothing) {
  torch::manual_seed(3);
  torch::nn::GRU gru = make_gru({4, 5, 6, {}});
  torch::Tensor vectors = torch::randn({2, 4, 5});
  const torch::Tensor lengths = torch::tensor({2, 4}, torch::kInt64);
  const torch::Tensor before = bi_gru(vectors, lengths, gru->parameters());
  vectors.index_put_({0, torch::indexing::Slice(2)}, 1e6);
  EXPECT_TRUE(torch::equal(before, bi_gru(vectors, lengths, gru->parameters())));
}

}  // namespace
}  // namespace hmtc
