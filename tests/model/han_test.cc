#include "model/han.h"

#include <gtest/gtest.h>

#include "support/tensors.h"
#include "support/tiny_model.h"

namespace hmtc {
namespace {

Han make() {
  const Config config = tiny_config();
  torch::manual_seed(5);
  Han model(config.han, Encoder(config.encoder, 12), 4);
  model.eval();
  return model;
}

WordBatch with_sentences(const std::vector<std::vector<std::int32_t>>& documents,
                         const torch::Tensor& sentences) {
  WordBatch batch = batch_of(documents);
  batch.sentences = sentences;
  return batch;
}

TEST(Han, AttentionSumsToOneOverADocumentsWords) {
  const torch::NoGradGuard no_grad;
  Han model = make();
  const WordBatch batch =
      with_sentences({{2, 3, 4, 5, 6}, {7, 8}, {}}, torch::tensor({{2L, 3L}, {2L, 0L}, {0L, 0L}}));
  const torch::Tensor attention = model.run(batch, Detail::kEverything).attention;  // (B, N)
  expect_close(attention.sum(1), torch::tensor({1.0F, 1.0F, 0.0F}), {1e-5, 1e-6}, "attention");
  EXPECT_EQ(attention.masked_select(~batch.mask).abs().sum().item<float>(), 0);
}

TEST(Han, WithoutSentencesBlocksOfWordsTakeTheirPlace) {
  const torch::NoGradGuard no_grad;
  Han model = make();
  const std::vector<std::vector<std::int32_t>> documents = {{2, 3, 4, 5, 6}, {7}};
  const torch::Tensor blocks =
      model.forward(batch_of(documents)).global_logits;  // of two words each
  const torch::Tensor sentences =
      model.forward(with_sentences(documents, torch::tensor({{2L, 2L, 1L}, {1L, 0L, 0L}})))
          .global_logits;
  EXPECT_TRUE(torch::equal(blocks, sentences));
  const torch::Tensor others =
      model.forward(with_sentences(documents, torch::tensor({{3L, 2L}, {1L, 0L}}))).global_logits;
  EXPECT_FALSE(torch::allclose(others[0], blocks[0]));
  EXPECT_TRUE(torch::allclose(others[1], blocks[1]));
}

}  // namespace
}  // namespace hmtc
