// LA-HCN taken apart (section 4.4 of the paper): what each part leaves out, and nothing else.
#include <gtest/gtest.h>

#include "model/la_hcn.h"
#include "support/tensors.h"
#include "support/tiny_model.h"

namespace hmtc {
namespace {

constexpr Tolerance kRounding{1e-5, 1e-6};
const std::vector<std::vector<std::int32_t>> kDocuments = {{2, 5, 1}, {3, 2, 7, 3, 9}, {4}};

class Ablations : public testing::TestWithParam<Profile> {
 protected:
  static LaHcn make(const LaHcnParts& parts) {
    const Config config = tiny_config({GetParam(), EncoderKind::kEmbedding, ""});
    torch::manual_seed(7);
    LaHcn model(config.model, Encoder(config.encoder, 20), tree_of({2, 3}), parts);
    model.eval();
    return model;
  }

  /// The sum over labels of the cross-entropy, mean over the documents (Eq. 12, 14).
  static torch::Tensor cross_entropy(const torch::Tensor& logits, const torch::Tensor& targets) {
    const torch::Tensor p = torch::sigmoid(logits);
    return -(targets * p.log() + (1 - targets) * (1 - p).log()).sum() / targets.size(0);
  }

  static void expect_one_classifier(LaHcn& model, const torch::Tensor& logits) {
    const WordBatch batch = batch_of(kDocuments);
    const torch::Tensor targets = torch::tensor({{1.0F, 0.0F, 1.0F, 0.0F, 0.0F},
                                                 {0.0F, 1.0F, 0.0F, 1.0F, 0.0F},
                                                 {1.0F, 1.0F, 0.0F, 0.0F, 1.0F}});
    expect_close(model.scores(batch).combined, torch::sigmoid(logits), kRounding, "scores");
    expect_close(model.loss(batch, targets), cross_entropy(logits, targets), kRounding, "loss");
  }
};

TEST_P(Ablations, WithoutComponentsLabelsMeetWordsDirectly) {
  LaHcn model = make({.components = false});
  const WordBatch batch = batch_of(kDocuments);
  const LaHcnOutput out = model.run(batch, Detail::kEverything);
  const auto parameters = model.named_parameters();
  EXPECT_EQ(parameters.find("level_1.components"), nullptr);
  const auto layer = [&](const torch::Tensor& x, const std::string& name) {
    torch::Tensor y = torch::matmul(x, parameters["level_1." + name + ".weight"].t());
    if (const auto* bias = parameters.find("level_1." + name + ".bias")) y = y + *bias;
    return torch::tanh(y);
  };
  const torch::Tensor f_w = layer(model.encoder()(batch), "f_w");        // (B, N, a)
  const torch::Tensor f_l = layer(parameters["level_1.labels"], "f_l");  // (L, a)
  const torch::Tensor scores = torch::matmul(f_l, f_w.transpose(1, 2))
                                   .masked_fill(~batch.mask.unsqueeze(1), -1e30);  // (B, L, N)
  expect_close(out.levels[0].attention.A, torch::softmax(scores, -1), kRounding, "A");
}

TEST_P(Ablations, WithoutTheGlobalClassifierTheLocalOnesDecide) {
  LaHcn model = make({.global_classifier = false});
  for (const auto& parameter : model.named_parameters()) {
    EXPECT_FALSE(parameter.key().starts_with("global.")) << parameter.key();
  }
  const ModelOutput output = model.forward(batch_of(kDocuments));
  EXPECT_FALSE(output.global_logits.defined());
  expect_one_classifier(model, model.run(batch_of(kDocuments), Detail::kResults).local_logits);
}

TEST_P(Ablations, WithoutTheLocalClassifiersTheGlobalOneDecides) {
  LaHcn model = make({.local_classifier = false});
  const ModelOutput output = model.forward(batch_of(kDocuments));
  EXPECT_FALSE(output.local_logits.defined());
  expect_one_classifier(model, output.global_logits);
}

TEST_P(Ablations, WhatStaysIsThatOfTheWholeModel) {
  const WordBatch batch = batch_of(kDocuments);
  LaHcn whole = make({});
  LaHcn local = make({.global_classifier = false});
  LaHcn global = make({.local_classifier = false});
  const torch::NoGradGuard no_grad;
  for (LaHcn* model : {&local, &global}) {
    for (const auto& parameter : model->named_parameters()) {
      parameter.value().copy_(whole.named_parameters()[parameter.key()]);
    }
  }
  const ModelOutput expected = whole.forward(batch);
  EXPECT_TRUE(torch::equal(local.forward(batch).local_logits, expected.local_logits));
  EXPECT_TRUE(torch::equal(global.forward(batch).global_logits, expected.global_logits));
}

INSTANTIATE_TEST_SUITE_P(, Ablations, testing::Values(Profile::kPaper, Profile::kReference),
                         [](const auto& tested) {
                           return tested.param == Profile::kPaper ? "paper" : "reference";
                         });

}  // namespace
}  // namespace hmtc
