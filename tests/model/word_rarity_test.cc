#include "model/word_rarity.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/expect_error.h"
#include "support/tensors.h"
#include "support/tiny_model.h"

namespace hmtc {
namespace {

constexpr Tolerance kRounding{1e-5, 1e-6};

TEST(WordRarity, BeforeItIsSetEveryWordIsTheSame) {
  WordRarity rarity(5, 2);
  EXPECT_EQ(rarity(batch_of({{2, 3}}).ids, 0).abs().sum().item<float>(), 0);
}

TEST(WordRarity, AWordGetsItsRarityTimesTheLevelsGamma) {
  WordRarity rarity(4, 2);
  rarity->set(std::vector<float>{0, 0, 2, -1});
  {
    const torch::NoGradGuard no_grad;
    rarity->named_parameters()["gamma"].copy_(torch::tensor({0.5F, 10.0F}));
  }
  const WordBatch batch = batch_of({{2, 3, 2}, {1}});
  expect_close(rarity(batch.ids, 0), torch::tensor({{1.0F, -0.5F, 1.0F}, {0.0F, 0.0F, 0.0F}}),
               kRounding, "level 1");
  const torch::Tensor second = rarity(batch.ids, 1);
  expect_close(second, torch::tensor({{20.0F, -10.0F, 20.0F}, {0.0F, 0.0F, 0.0F}}), kRounding,
               "level 2");
  second.sum().backward();  // 2 - 1 + 2 for the second level's gamma
  expect_close(rarity->named_parameters()["gamma"].grad(), torch::tensor({0.0F, 3.0F}), kRounding,
               "gamma");
  EXPECT_FALSE(rarity->named_parameters()["words"].requires_grad());
}

TEST(WordRarity, ATableOfAnotherSizeIsRefused) {
  WordRarity rarity(4, 2);
  expect_error(ErrorKind::kInternal, {"4", "3"}, [&] { rarity->set(std::vector<float>(3)); });
}

TEST(WordRarity, AModelAddsItToTheLogitsOfItsAttention) {
  // Two words whose vectors are equal are told apart by rarity alone: the attention of every label
  // on every level is e^gamma to 1, with gamma 0.5 at the start.
  Config config = tiny_config();
  config.model.rarity = true;
  const auto model = tiny_la_hcn(config, {2, 3});
  std::vector<float> rarity(20);
  rarity[4] = 1;
  model->start_from({rarity, {}});
  const torch::NoGradGuard no_grad;
  model->encoder()->embedding()[4].copy_(model->encoder()->embedding()[5]);
  for (const auto& level : model->run(batch_of({{4, 5}}), Detail::kEverything).levels) {
    const torch::Tensor& A = level.attention.A;
    expect_close(A.select(2, 0) / A.select(2, 1), torch::full_like(A.select(2, 0), std::exp(0.5)),
                 kRounding, "A");
  }
}

}  // namespace
}  // namespace hmtc
