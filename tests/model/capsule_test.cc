#include "model/capsule.h"

#include <gtest/gtest.h>

#include <fstream>

#include "support/tensors.h"
#include "support/tiny_model.h"

namespace hmtc {
namespace {

Capsule make(const Config& config, std::int64_t labels = 4) {
  torch::manual_seed(5);
  return {config.capsule, config.train.max_words, Encoder(config.encoder, 12), labels};
}

TEST(CapsuleTest, PlacesWithoutAWordHaveNoCapsule) {
  Capsule model = make(tiny_config());
  model.eval();
  const torch::Tensor capsules = model.primary_capsules(batch_of({{2, 3, 4, 5}, {6}, {}}));
  // The longest has four words: four places; three kinds of two numbers.
  ASSERT_EQ(capsules.sizes(), torch::IntArrayRef({3, 3, 4, 2}));
  EXPECT_GT(capsules[0].abs().sum().item<float>(), 0);
  EXPECT_EQ(capsules[1].slice(1, 1).abs().sum().item<float>(), 0);
  EXPECT_EQ(capsules[2].abs().sum().item<float>(), 0);
  EXPECT_LT(capsules.square().sum(-1).max().item<float>(), 1);
}

TEST(CapsuleTest, AShortDocumentHasTheSameCapsulesBesideALongOne) {
  Capsule model = make(tiny_config());
  model.eval();
  const std::vector<std::int32_t> long_one(12, 7);
  const torch::Tensor alone = model.primary_capsules(batch_of({{2, 3}}));
  const torch::Tensor beside = model.primary_capsules(batch_of({{2, 3}, long_one}));
  // Twelve words under a window of three: ten places.
  ASSERT_EQ(beside.size(2), 10);
  EXPECT_TRUE(torch::allclose(alone[0], beside[0].slice(1, 0, 2), 1e-6, 1e-7));
  EXPECT_EQ(beside[0].slice(1, 2).abs().sum().item<float>(), 0);
}

TEST(CapsuleTest, RoutingPrefersTheLabelThatCapsulesAgreeOn) {
  Config config = tiny_config();
  config.capsule.transform_deviation = 3;
  const WordBatch batch = batch_of({{2, 3, 4, 5, 6, 7}});
  const auto spread = [&](std::int64_t routings) {
    config.capsule.routings = routings;
    Capsule model = make(config);
    model.eval();
    const torch::Tensor lengths = model.lengths(batch);
    return (lengths.max() - lengths.min()).item<float>();
  };
  EXPECT_GT(spread(3), spread(1));
}

TEST(CapsuleTest, WithOneRoundEveryLabelHasTheSameShareOfEachCapsule) {
  Config config = tiny_config();
  config.capsule.routings = 1;
  config.capsule.transform_deviation = 3;
  Capsule model = make(config);
  model.eval();
  const WordBatch batch = batch_of({{2, 3, 4, 5, 6, 7}, {8}});
  const torch::Tensor transform = model.named_parameters()["transform"];  // (4, F, S, s)
  // s_j = sum over f of W_jf u_f / 4, and a vector of length n is squashed to n^2 / (1 + n^2).
  const torch::Tensor sums = model.primary_capsules(batch).sum(2) / 4;  // (B, F, s)
  const torch::Tensor n2 =
      torch::einsum("jfkl,bfl->bjk", {transform, sums}).square().sum(-1);  // (B, 4)
  const torch::Tensor expected = n2 / (1 + n2);
  const torch::Tensor lengths = model.lengths(batch);
  EXPECT_TRUE(torch::allclose(lengths, expected, 1e-4, 1e-6));
  const auto gradient_of = [&](const torch::Tensor& value) {
    return torch::autograd::grad({value.square().sum()}, {transform})[0];
  };
  EXPECT_TRUE(torch::allclose(gradient_of(lengths), gradient_of(expected), 1e-3, 1e-6));
}

/// Of /proc/self/status, in MB.
double memory_of_this_process(const std::string& name) {
  std::ifstream status("/proc/self/status");
  std::string word;
  double kilobytes = 0;
  while (status >> word) {
    if (word == name && status >> kilobytes) break;
  }
  return kilobytes / 1024;
}

TEST(CapsuleTest, WithThousandsOfLabelsThePredictionsForThemAreNeverHeld) {
  Config config = tiny_config();
  config.train.max_words = 30;
  config.capsule = {.window = 3, .kinds = 8, .size = 8, .label_size = 16};
  Capsule model = make(config, 5229);
  const WordBatch batch = batch_of(std::vector(16, std::vector<std::int32_t>(30, 7)));
  if (!(std::ofstream("/proc/self/clear_refs") << "5").flush()) {
    GTEST_SKIP() << "the peak of memory cannot be set back here";
  }
  const double before = memory_of_this_process("VmRSS:");
  model.lengths(batch).sum().backward();
  // 16 documents x 8 x 28 capsules x 5,229 labels x 16 numbers would take 1.2 GB.
  EXPECT_LT(memory_of_this_process("VmHWM:") - before, 400);
}

TEST(CapsuleTest, MarginLossIsTheSumOverTheLabels) {
  const torch::Tensor lengths = torch::tensor({{0.7F, 0.95F, 0.3F, 0.05F}});
  const torch::Tensor targets = torch::tensor({{1.0F, 1.0F, 0.0F, 0.0F}});
  EXPECT_NEAR(Capsule::margin_loss(lengths, targets).item<float>(), 0.2 * 0.2 + 0.5 * 0.2 * 0.2,
              1e-6);
}

TEST(CapsuleTest, ASoftTargetMixesBothMargins) {
  // 0.25 (0.9 - 0.5)^2 + 0.75 * 0.5 (0.5 - 0.1)^2 = 0.04 + 0.06.
  EXPECT_NEAR(Capsule::margin_loss(torch::tensor({{0.5F}}), torch::tensor({{0.25F}})).item<float>(),
              0.1, 1e-6);
}

TEST(CapsuleTest, FiltersAreCutToTheirNorm) {
  Config config = tiny_config();
  config.capsule.max_norm = 0.5;
  Capsule model = make(config);
  model.constrain_parameters();
  const torch::Tensor norms =
      model.named_parameters()["conv.weight"].detach().flatten(1).norm(2, 1);
  EXPECT_LE(norms.max().item<float>(), 0.5F + 1e-5F);
}

}  // namespace
}  // namespace hmtc
