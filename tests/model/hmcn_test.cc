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
