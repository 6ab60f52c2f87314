#include "model/harnn.h"

#include <gtest/gtest.h>

#include "support/tensors.h"
#include "support/tiny_model.h"

namespace hmtc {
namespace {

Harnn make(const std::vector<std::int64_t>& level_sizes) {
  const Config config = tiny_config();
  torch::manual_seed(5);
  return {config.model, Encoder(config.encoder, 12), level_sizes};
}

TEST(Harnn, AttentionAndWordWeightsSumToOneOverTheRealWords) {
  Harnn model = make({2, 3});
  model.eval();
  const WordBatch batch = batch_of({{2, 3, 4, 5}, {6, 7}, {}});
  const torch::Tensor has_words = torch::tensor({1.0F, 1.0F, 0.0F});
  for (const HarnnLevelOutput& level : model.run_levels(batch)) {
    const auto sums = level.Att.sum(-1);  // (B, L)
    expect_close(sums, has_words.unsqueeze(1).expand_as(sums), {1e-5, 1e-6}, "Att");
    expect_close(level.omega.sum(-1), has_words, {1e-5, 1e-6}, "omega");
    EXPECT_EQ(level.omega.masked_select(~batch.mask).abs().sum().item<float>(), 0);
  }
}

TEST(Harnn, WorksAtAnyDepth) {
  for (const std::vector<std::int64_t>& sizes :
       {std::vector<std::int64_t>{1}, {2, 3, 4, 5, 6, 7}}) {
    Harnn model = make(sizes);
    model.eval();
    const ModelOutput out = model.forward(batch_of({{2, 3}}));
    std::int64_t labels = 0;
    for (const std::int64_t size : sizes) labels += size;
    EXPECT_EQ(out.local_logits.sizes(), torch::IntArrayRef({1, labels}));
    EXPECT_EQ(out.global_logits.sizes(), torch::IntArrayRef({1, labels}));
  }
}

TEST(Harnn, TheLevelAboveChangesWhatTheNextSees) {
  Harnn model = make({2, 3});
  model.eval();
  const WordBatch batch = batch_of({{2, 3, 4}});
  const torch::Tensor before = model.run_levels(batch)[1].Att.clone();
  const torch::NoGradGuard no_grad;
  model.named_parameters()["level_1.local.bias"].fill_(9);
  EXPECT_FALSE(torch::allclose(model.run_levels(batch)[1].Att, before));
}

}  // namespace
}  // namespace hmtc
