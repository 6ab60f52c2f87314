#include "model/hmcn.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/tensors.h"
#include "support/tiny_model.h"

namespace hmtc {
namespace {

Hierarchy parent_and_child() {
  return Hierarchy(std::vector<HierarchyEdge>{{"parent", "", "", {}}, {"child", "parent", "", {}}});
}

float logit(float probability) { return std::log(probability / (1 - probability)); }

class HmcnTest : public testing::Test {
 protected:
  HmcnF make(double violation_weight) {
    config_.hmcn.violation_weight = violation_weight;
    torch::manual_seed(1);
    return HmcnF(config_.hmcn, 0.5, Encoder(config_.encoder, 9), parent_and_child());
  }

  Config config_ = tiny_config();
};

TEST_F(HmcnTest, AChildAboveItsParentCostsTheSquareOfTheDifference) {
  // P = (0.2 + 0.4) / 2 = 0.3 for the parent, (0.9 + 0.5) / 2 = 0.7 for the child.
  const ModelOutput output{torch::tensor({{logit(0.2F), logit(0.9F)}}),
                           torch::tensor({{logit(0.4F), logit(0.5F)}})};
  const torch::Tensor targets = torch::zeros({1, 2});
  const double with = make(0.1).loss_of(output, targets).item<double>();
  const double without = make(0).loss_of(output, targets).item<double>();
  EXPECT_NEAR(with - without, 0.1 * 0.4 * 0.4, 1e-5);
}

TEST_F(HmcnTest, AChildBelowItsParentCostsNothing) {
  const ModelOutput output{torch::tensor({{logit(0.9F), logit(0.2F)}}),
                           torch::tensor({{logit(0.5F), logit(0.4F)}})};
  const torch::Tensor targets = torch::zeros({1, 2});
  EXPECT_EQ(make(0.1).loss_of(output, targets).item<double>(),
            make(0).loss_of(output, targets).item<double>());
}

TEST_F(HmcnTest, BatchNormalisationWorksInTrainingAndIsRemembered) {
  HmcnF model = make(0.1);
  const auto statistics = [&] { return model.named_buffers()["level_1.W_norm.running_mean"]; };
  const torch::Tensor before = statistics().clone();
  model.train();
  const WordBatch batch = batch_of({{2, 3}, {4}, {5, 6, 7}});
  model.forward(batch);
  EXPECT_FALSE(torch::equal(statistics(), before));
  model.eval();
  const torch::Tensor after = statistics().clone();
  model.forward(batch);
  EXPECT_TRUE(torch::equal(statistics(), after));
}

/// One unit in each layer, words of one number: word 2 is 0.5, word 3 is 1.5.
class HmcnFlow : public testing::Test {
 protected:
  template <typename Network>
  ModelOutput forward(const std::vector<std::pair<std::string, torch::Tensor>>& weights) {
    Config config = tiny_config();
    config.encoder.embedding_width = 1;
    config.hmcn.width = 1;
    Network model(config.hmcn, 0.5, Encoder(config.encoder, 4), parent_and_child());
    model.eval();
    const torch::NoGradGuard no_grad;
    for (const auto& parameter : model.named_parameters()) {
      const bool is_scale = parameter.key().ends_with("norm.weight");
      parameter.value().fill_(is_scale ? 1 : 0);
    }
    model.named_parameters()["encoder.embedding.weight"].copy_(
        torch::tensor({{0.0F}, {0.0F}, {0.5F}, {1.5F}}));
    for (const auto& [name, values] : weights) model.named_parameters()[name].copy_(values);
    return model.forward(batch_of({{2, 3}}));  // x = 1
  }

  static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
  static inline const double kNorm = 1 / std::sqrt(1 + 1e-5);  // untrained batch normalisation
};

TEST_F(HmcnFlow, OfFPutsTheLevelAboveBesideTheDocument) {
  const ModelOutput output = forward<HmcnF>({{"level_1.W.weight", torch::tensor({{2.0F}})},
                                             {"level_2.W.weight", torch::tensor({{3.0F, -1.0F}})},
                                             {"level_1.W_T.weight", torch::tensor({{1.0F}})},
                                             {"level_1.W_L.weight", torch::tensor({{1.0F}})},
                                             {"level_2.W_T.weight", torch::tensor({{1.0F}})},
                                             {"level_2.W_L.weight", torch::tensor({{0.5F}})},
                                             {"W_G.weight", torch::tensor({{1.0F}, {-1.0F}})}});
  const double A_1 = 2 * kNorm;              // phi(2 x)
  const double A_2 = (3 * A_1 - 1) * kNorm;  // phi(3 A_1 - x)
  EXPECT_NEAR(output.local_logits[0][0].item<double>(), A_1 * kNorm, 1e-5);
  EXPECT_NEAR(output.local_logits[0][1].item<double>(), 0.5 * A_2 * kNorm, 1e-5);
  EXPECT_NEAR(output.global_logits[0][0].item<double>(), A_2, 1e-5);
  EXPECT_NEAR(output.global_logits[0][1].item<double>(), -A_2, 1e-5);
}

TEST_F(HmcnFlow, OfRTakesTheSameCellAtEveryLevel) {
  // Gates i, f, g, o of [A_{h-1} || x]; the cell's output is neither normalised nor cut at zero.
  const ModelOutput output = forward<HmcnR>(
      {{"cell.weight", torch::tensor({{1.0F, 0.5F}, {2.0F, -1.0F}, {-3.0F, 1.0F}, {0.5F, 2.0F}})},
       {"level_1.W_T.weight", torch::tensor({{1.0F}})},
       {"level_1.W_L.weight", torch::tensor({{1.0F}})},
       {"level_2.W_T.weight", torch::tensor({{1.0F}})},
       {"level_2.W_L.weight", torch::tensor({{2.0F}})},
       {"W_G.weight", torch::tensor({{1.0F}, {-1.0F}})}});
  const double C_1 = sigmoid(0.5) * std::tanh(1);
  const double A_1 = sigmoid(2) * std::tanh(C_1);
  const double C_2 = sigmoid(2 * A_1 - 1) * C_1 + sigmoid(A_1 + 0.5) * std::tanh(-3 * A_1 + 1);
  const double A_2 = sigmoid(0.5 * A_1 + 2) * std::tanh(C_2);
  EXPECT_NEAR(output.local_logits[0][0].item<double>(), A_1 * kNorm, 1e-5);
  EXPECT_NEAR(output.local_logits[0][1].item<double>(), 2 * A_2 * kNorm, 1e-5);
  EXPECT_NEAR(output.global_logits[0][0].item<double>(), A_2, 1e-5);
  EXPECT_NEAR(output.global_logits[0][1].item<double>(), -A_2, 1e-5);
}

TEST(BatchNorm, OneDocumentIsNormalisedByWhatIsRemembered) {
  BatchNorm norm(2);
  norm->train();
  const torch::Tensor x = torch::tensor({{3.0F, -1.0F}});
  expect_close(norm(x), x / std::sqrt(1 + 1e-5), {1e-6, 1e-6}, "one document");
  const torch::Tensor two = torch::tensor({{3.0F, -1.0F}, {5.0F, 1.0F}});
  expect_close(norm(two), torch::tensor({{-1.0F, -1.0F}, {1.0F, 1.0F}}), {1e-4, 1e-4}, "two");
}

}  // namespace
}  // namespace hmtc
