#include "model/fused_label_attention.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <thread>

#include "support/instruction_sets.h"
#include "support/tensors.h"

namespace hmtc {
namespace {

constexpr Tolerance kRounding{2e-4, 2e-5};

struct Sizes {
  std::int64_t labels, components, word_width, document_width;
  std::int64_t words;
  std::vector<std::int64_t> lengths;
  bool with_m;
};

/// One label, one word, no word; N > L and L > N, so that both orders of the products are taken;
/// more labels than a tile has rows, and tiles over several documents; relevance by way of S, and
/// of R~ v_c.
std::vector<Sizes> all_sizes() {
  return {{1, 1, 1, 1, 1, {1}, true},
          {1, 3, 5, 4, 9, {9, 0, 1}, true},
          {7, 4, 6, 9, 5, {5, 3}, false},
          {300, 5, 17, 33, 6, {6, 0, 4}, true},
          {130, 2, 3, 20, 40, {40, 1, 17}, false},
          {300, 2, 17, 33, 6, {6, 0, 4}, true},
          {9, 2, 30, 20, 40, {12, 40}, true},
          {50, 6, 40, 8, 64, {64, 33, 2, 64, 5}, true},
          {40, 3, 256, 256, 30, {30, 7}, true}};  // rows at distances that the cache takes badly
}

enum class Bias { kNone, kOfWords };
enum class Components { kNone, kSome };

/// So that a product with numbers around 1 gives such numbers.
torch::Tensor scaled_randn(const std::vector<std::int64_t>& shape) {
  return torch::randn(shape) / std::sqrt(static_cast<double>(shape.back()));
}

LabelAttentionInput random_input(const Sizes& sizes, Bias bias = Bias::kNone,
                                 Components components = Components::kSome) {
  const auto documents = static_cast<std::int64_t>(sizes.lengths.size());
  const auto leaf = [](torch::Tensor values) { return values.requires_grad_(); };
  const bool has_components = components == Components::kSome;
  const std::int64_t C = has_components ? sizes.components : 4;
  return {.I = leaf(torch::randn({documents, sizes.words, sizes.word_width})),
          .lengths = torch::tensor(sizes.lengths),
          .f_w = leaf(scaled_randn({4, sizes.word_width})),
          .f_w_shift = leaf(torch::randn({documents, 4})),
          .v_c = has_components ? leaf(torch::randn({C, 4})) : torch::Tensor(),
          .R_tilde = leaf(torch::softmax(torch::randn({sizes.labels, C}), -1)),
          .W = leaf(scaled_randn({sizes.document_width, sizes.word_width})),
          .b = leaf(torch::randn({sizes.document_width})),
          .m = sizes.with_m ? leaf(torch::rand({documents, sizes.labels})) : torch::Tensor(),
          .label_readout = leaf(scaled_randn({sizes.labels, sizes.document_width})),
          .word_bias = bias == Bias::kNone ? torch::Tensor()
                                           : leaf(3 * torch::randn({documents, sizes.words}))};
}

std::vector<torch::Tensor> leaves_of(const LabelAttentionInput& input) {
  std::vector<torch::Tensor> leaves = {input.I, input.f_w, input.f_w_shift,    input.R_tilde,
                                       input.W, input.b,   input.label_readout};
  for (const torch::Tensor& optional : {input.v_c, input.m, input.word_bias}) {
    if (optional.defined()) leaves.push_back(optional);
  }
  return leaves;
}

/// Results, then the gradients of all leaves for a loss that weighs every result.
std::vector<torch::Tensor> results_and_gradients(const LabelAttentionInput& input, Detail detail) {
  const LabelAttentionOutput out = label_attention(input, detail);
  torch::manual_seed(99);
  torch::Tensor loss = torch::zeros({});
  for (const torch::Tensor& result : {out.local_logits, out.v_tilde, out.v}) {
    loss = loss + (result * torch::randn_like(result)).sum();
  }
  std::vector<torch::Tensor> all = {out.local_logits, out.v_tilde, out.v};
  for (const torch::Tensor& gradient : torch::autograd::grad({loss}, leaves_of(input))) {
    all.push_back(gradient);
  }
  return all;
}

/// Compares the kernel with the composition, and its instruction sets with one another.
void expect_agreement(const LabelAttentionInput& input) {
  const auto expected = results_and_gradients(input, Detail::kEverything);
  std::vector<torch::Tensor> first;
  for_each_instruction_set([&] {
    const auto actual = results_and_gradients(input, Detail::kResults);
    if (first.empty()) first = actual;
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
      const std::string name = "tensor " + std::to_string(i) + " of " +
                               std::to_string(input.R_tilde.size(0)) + " labels";
      expect_close(actual[i], expected[i], kRounding, name);
      expect_same_on_instruction_sets(actual[i], first[i], name);
    }
  });
}

TEST(FusedLabelAttention, ResultsAndEveryGradientAgreeWithTheComposition) {
  torch::manual_seed(7);
  for (const Sizes& sizes : all_sizes()) expect_agreement(random_input(sizes));
}

TEST(FusedLabelAttention, TheyAgreeWithABiasOfWordsToo) {
  torch::manual_seed(8);
  for (const Sizes& sizes : all_sizes()) expect_agreement(random_input(sizes, Bias::kOfWords));
}

TEST(FusedLabelAttention, TheyAgreeWithoutComponentsToo) {
  torch::manual_seed(9);
  for (const Sizes& sizes : all_sizes()) {
    for (const Bias bias : {Bias::kNone, Bias::kOfWords}) {
      expect_agreement(random_input(sizes, bias, Components::kNone));
    }
  }
}

TEST(FusedLabelAttention, ABiasAtPaddingGetsNoGradientAndChangesNothing) {
  torch::manual_seed(10);
  LabelAttentionInput input = random_input(all_sizes()[4], Bias::kOfWords);  // lengths 40, 1, 17
  const auto before = results_and_gradients(input, Detail::kResults);
  const torch::Tensor& of_bias = before.back();
  EXPECT_EQ(of_bias[1].slice(0, 1).abs().sum().item<float>(), 0);
  EXPECT_EQ(of_bias[2].slice(0, 17).abs().sum().item<float>(), 0);
  EXPECT_GT(of_bias[2].slice(0, 0, 17).abs().min().item<float>(), 0);
  input.word_bias.data()[2].slice(0, 17).fill_(1e6F);
  EXPECT_TRUE(torch::equal(label_attention(input, Detail::kResults).local_logits, before[0]));
}

TEST(FusedLabelAttention, HoldsNeitherAttentionNorLabelWiseDocuments) {
  const LabelAttentionOutput out = label_attention(random_input(all_sizes()[2]), Detail::kResults);
  EXPECT_FALSE(out.A.defined());
  EXPECT_FALSE(out.D.defined());
  EXPECT_FALSE(out.D_tilde.defined());
}

TEST(FusedLabelAttention, SeveralThreadsAtOnceGiveTheSameBytesAsOne) {
  const LabelAttentionInput input = random_input(all_sizes()[3]);
  const auto alone = results_and_gradients(input, Detail::kResults);
  std::vector<std::vector<torch::Tensor>> together(4);
  std::vector<std::thread> threads;
  for (auto& results : together) {
    threads.emplace_back([&] {
      const LabelAttentionOutput out = label_attention(input, Detail::kResults);
      results = {out.local_logits, out.v_tilde, out.v};
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& results : together) {
    for (std::size_t i = 0; i < results.size(); ++i) {
      EXPECT_TRUE(torch::equal(results[i], alone[i]));
    }
  }
}

TEST(FusedLabelAttention, OtherElementTypesTakeTheComposition) {
  LabelAttentionInput input = random_input(all_sizes()[2]);
  for (torch::Tensor* tensor : {&input.I, &input.f_w, &input.f_w_shift, &input.v_c, &input.R_tilde,
                                &input.W, &input.b, &input.label_readout}) {
    *tensor = tensor->detach().to(torch::kFloat64);
  }
  EXPECT_TRUE(label_attention(input, Detail::kResults).A.defined());
}

}  // namespace
}  // namespace hmtc
