#include "model/parent_prior.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/la_hcn.h"
#include "support/tensors.h"
#include "support/tiny_model.h"

namespace hmtc {
namespace {

constexpr Tolerance kRounding{1e-6, 1e-6};

TEST(ParentPrior, BeginsWithTheChainRule) {
  ParentPrior prior(LabelGraph(tree_of({1, 1, 1})));
  const torch::Tensor beta = prior->named_parameters()["beta"];
  EXPECT_TRUE(torch::equal(beta, torch::ones({2})));
}

TEST(ParentPrior, ALabelGetsTheLogarithmOfItsParentsProbability) {
  // A fork; sigma(ln 3) = 3/4, sigma(-ln 3) = 1/4.
  ParentPrior prior(LabelGraph(tree_of({1, 2})));
  const float log3 = std::log(3.0F);
  const torch::Tensor logits = torch::tensor({{2.0F, -1.0F}, {2.0F, -1.0F}});
  const torch::Tensor above = torch::tensor({{log3}, {-log3}});
  const float likely = std::log(0.75F), unlikely = std::log(0.25F);
  expect_close(prior(logits, above, 1),
               torch::tensor({{2 + likely, -1 + likely}, {2 + unlikely, -1 + unlikely}}), kRounding,
               "beta 1");
  torch::NoGradGuard no_grad;
  prior->named_parameters()["beta"].fill_(0.5);
  expect_close(prior(logits, above, 1)[1], torch::tensor({2 + unlikely / 2, -1 + unlikely / 2}),
               kRounding, "beta 0.5");
}

TEST(ParentPrior, OfSeveralParentsTheLeastLikelyCounts) {
  ParentPrior prior(LabelGraph(Hierarchy(std::vector<HierarchyEdge>{
      {"a", "", "", {}}, {"b", "", "", {}}, {"c", "a", "", {}}, {"c", "b", "", {}}})));
  const torch::Tensor above = torch::tensor({{5.0F, -std::log(3.0F)}});
  EXPECT_NEAR(prior(torch::zeros({1, 1}), above, 1).item<double>(), std::log(0.25), 1e-6);
}

TEST(ParentPrior, EachLevelHasItsOwnWeightAndTheParentGetsNoGradient) {
  ParentPrior prior(LabelGraph(tree_of({1, 1, 1})));
  const torch::Tensor top = torch::zeros({1, 1}).requires_grad_();
  const torch::Tensor own = torch::zeros({1, 1}).requires_grad_();
  const torch::Tensor middle = prior(own, top, 1);  // 0 + ln 1/2
  prior(torch::zeros({1, 1}), torch::cat({top, middle}, 1), 2).sum().backward();
  EXPECT_FALSE(top.grad().defined());
  EXPECT_FALSE(own.grad().defined());
  // Of the third level's beta: ln sigma(-ln 2) = ln 1/3. The second level's has no part in it.
  const torch::Tensor beta = prior->named_parameters()["beta"].grad();
  EXPECT_EQ(beta[0].item<float>(), 0);
  EXPECT_NEAR(beta[1].item<double>(), std::log(1.0 / 3), 1e-6);
}

TEST(ParentPrior, AModelAddsItLevelByLevelToItsLocalLogitsAlone) {
  Config config = tiny_config();
  const std::vector<std::int64_t> levels = {1, 2, 2};
  const WordBatch batch = batch_of({{2, 5, 1}, {}});
  const ModelOutput plain = tiny_la_hcn(config, levels)->forward(batch);
  config.model.parent_prior = true;
  const ModelOutput with = tiny_la_hcn(config, levels)->forward(batch);
  EXPECT_TRUE(torch::equal(with.global_logits, plain.global_logits));
  const auto column = [](const ModelOutput& out, std::int64_t i) {
    return out.local_logits.slice(1, i, i + 1);
  };
  EXPECT_TRUE(torch::equal(column(with, 0), column(plain, 0)));
  for (const auto& [label, parent] :
       {std::pair{1, 0}, std::pair{2, 0}, std::pair{3, 1}, std::pair{4, 2}}) {
    const torch::Tensor p = 1 / (1 + torch::exp(-column(with, parent)));
    expect_close(column(with, label), column(plain, label) + torch::log(p), kRounding,
                 "label " + std::to_string(label));
  }
}

TEST(ParentPrior, WithOneLevelThereIsNone) {
  Config config = tiny_config();
  config.model.parent_prior = true;
  EXPECT_EQ(tiny_la_hcn(config, {3})->named_parameters().find("parent_prior.beta"), nullptr);
}

}  // namespace
}  // namespace hmtc
