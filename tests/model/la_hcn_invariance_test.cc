// What may not change LA-HCN's output: padding, neighbours, order. And its smallest and deepest
// forms.
#include <gtest/gtest.h>

#include "model/la_hcn.h"
#include "support/tensors.h"
#include "support/tiny_model.h"

namespace hmtc {
namespace {

constexpr Tolerance kRounding{1e-5, 1e-5};

TEST(LaHcnInvariance, ADocumentScoresTheSameAloneAndPaddedBesideLongerOnes) {
  const std::vector<std::int32_t> document = {2, 5, 1};
  for (const Variant& variant : all_variants()) {
    SCOPED_TRACE(variant.name);
    const auto model = tiny_la_hcn(tiny_config(variant), {2, 4, 3});
    const ModelOutput alone = model->forward(batch_of({document}));
    // Ten words beside it: seven columns of padding.
    const ModelOutput beside =
        model->forward(batch_of({{3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, document, {4, 4, 4, 4}}));
    expect_close(beside.local_logits[1], alone.local_logits[0], kRounding, "local");
    expect_close(beside.global_logits[1], alone.global_logits[0], kRounding, "global");
    const ModelOutput padded = model->forward(widened(batch_of({document}), 7));
    expect_close(padded.local_logits, alone.local_logits, kRounding, "local, padded");
    expect_close(padded.global_logits, alone.global_logits, kRounding, "global, padded");
  }
}

TEST(LaHcnInvariance, PaddingChangesNoGradient) {
  for (const Variant& variant : all_variants()) {
    SCOPED_TRACE(variant.name);
    const auto model = tiny_la_hcn(tiny_config(variant), {2, 3});
    const WordBatch batch = batch_of({{2, 5, 1}, {}});
    const auto gradients_on = [&](const WordBatch& words) {
      model->zero_grad();
      model->loss(words, torch::ones({2, 5})).backward();
      std::map<std::string, torch::Tensor> gradients;
      for (const auto& parameter : model->named_parameters()) {
        gradients[parameter.key()] = parameter.value().grad().to_dense().clone();
      }
      return gradients;
    };
    const auto expected = gradients_on(batch);
    for (const auto& [name, gradient] : gradients_on(widened(batch, 7))) {
      expect_close(gradient, expected.at(name), kRounding, name);
    }
  }
}

TEST(LaHcnInvariance, PermutedDocumentsGivePermutedOutputs) {
  for (const Variant& variant : all_variants()) {
    SCOPED_TRACE(variant.name);
    const auto model = tiny_la_hcn(tiny_config(variant), {2, 4, 3});
    const ModelOutput out = model->forward(batch_of({{2, 5, 1}, {}, {3, 2, 7, 3, 9}}));
    const ModelOutput permuted = model->forward(batch_of({{3, 2, 7, 3, 9}, {2, 5, 1}, {}}));
    const torch::Tensor order = torch::tensor({2, 0, 1}, torch::kInt64);
    expect_close(permuted.local_logits, out.local_logits.index_select(0, order), kRounding,
                 "local");
    expect_close(permuted.global_logits, out.global_logits.index_select(0, order), kRounding,
                 "global");
  }
}

TEST(LaHcnInvariance, WithoutAnLstmTheOrderOfWordsDoesNotMatterAndWithItItDoes) {
  for (const Variant& variant : all_variants()) {
    SCOPED_TRACE(variant.name);
    const auto model = tiny_la_hcn(tiny_config(variant), {2, 3});
    const torch::Tensor forward = model->forward(batch_of({{2, 5, 9}})).local_logits;
    const torch::Tensor reversed = model->forward(batch_of({{9, 5, 2}})).local_logits;
    EXPECT_EQ(torch::allclose(forward, reversed, 1e-5, 1e-6),
              variant.encoder == EncoderKind::kEmbedding);
  }
}

TEST(LaHcnInvariance, OneWordGetsAllTheAttention) {
  for (const Variant& variant : all_variants()) {
    SCOPED_TRACE(variant.name);
    const auto model = tiny_la_hcn(tiny_config(variant), {2, 3});
    for (const LaHcnLevelOutput& level : model->run(batch_of({{4}}), Detail::kEverything).levels) {
      EXPECT_TRUE(torch::equal(level.attention.A, torch::ones_like(level.attention.A)));
    }
  }
}

TEST(LaHcnInvariance, OneLabelOnOneLevelAndFiveLevelsTrain) {
  for (const Variant& variant : all_variants()) {
    SCOPED_TRACE(variant.name);
    for (const auto& levels :
         {std::vector<std::int64_t>{1}, std::vector<std::int64_t>{1, 2, 3, 2, 1}}) {
      const auto model = tiny_la_hcn(tiny_config(variant), levels);
      const std::int64_t labels = levels.size() == 1 ? 1 : 9;
      const ModelOutput out = model->forward(batch_of({{4, 2}, {3}}));
      ASSERT_EQ(out.local_logits.sizes(), torch::IntArrayRef({2, labels}));
      ASSERT_EQ(out.global_logits.sizes(), torch::IntArrayRef({2, labels}));
      model->loss_of(out, torch::zeros({2, labels})).backward();
      for (const auto& parameter : model->named_parameters()) {
        ASSERT_TRUE(parameter.value().grad().defined()) << parameter.key();
        EXPECT_TRUE(parameter.value().grad().to_dense().isfinite().all().item<bool>())
            << parameter.key();
      }
    }
  }
}

}  // namespace
}  // namespace hmtc
