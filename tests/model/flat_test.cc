#include "model/flat.h"

#include <gtest/gtest.h>

#include "support/tensors.h"
#include "support/tiny_model.h"

namespace hmtc {
namespace {

TEST(Flat, IsOneLayerOverTheMeanOfTheWords) {
  Config config = tiny_config();
  config.encoder.embedding_width = 2;
  Flat model(Encoder(config.encoder, 4), /*num_labels=*/3);
  model.eval();
  const torch::NoGradGuard no_grad;
  auto parameters = model.named_parameters();
  parameters["encoder.embedding.weight"].copy_(
      torch::tensor({{9.0F, 9.0F}, {9.0F, 9.0F}, {1.0F, 2.0F}, {3.0F, -2.0F}}));
  parameters["output.weight"].copy_(torch::tensor({{1.0F, 0.0F}, {0.0F, 1.0F}, {2.0F, -1.0F}}));
  parameters["output.bias"].copy_(torch::tensor({0.5F, 0.0F, 0.0F}));
  // The means are (2, 0) and, beside two places of padding, (1, 2).
  const ModelOutput output = model.forward(batch_of({{2, 3, 2, 3}, {2, 2}}));
  EXPECT_FALSE(output.local_logits.defined());
  expect_close(output.global_logits, torch::tensor({{2.5F, 0.0F, 4.0F}, {1.5F, 2.0F, 0.0F}}),
               {1e-6, 1e-6}, "logits");
}

}  // namespace
}  // namespace hmtc
