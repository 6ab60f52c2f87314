#include "model/max_constraint.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/logit_model.h"
#include "support/tensors.h"
#include "support/tiny_model.h"

namespace hmtc {
namespace {

constexpr Tolerance kExact{0, 0};

torch::Tensor row(std::initializer_list<float> values) {
  return torch::tensor(std::vector<float>(values)).unsqueeze(0);
}

Hierarchy chain() { return tree_of({1, 1, 1}); }
/// A label with two children.
Hierarchy fork() { return tree_of({1, 2}); }

/// What a logit costs: -ln of the probability that it gives to what is true.
double cost(double logit, bool is_true) { return std::log1p(std::exp(is_true ? -logit : logit)); }

TEST(MaxConstraint, WithoutEdgesNothingChanges) {
  const MaxConstraint constraint(tree_of({3}));
  const torch::Tensor logits = row({1, -2, 3});
  EXPECT_TRUE(torch::equal(constraint.best_of_subtree(logits), logits));
  EXPECT_TRUE(torch::equal(constraint.best_for_loss(logits, row({1, 0, 0})), logits));
}

TEST(MaxConstraint, InAChainEachLabelHasTheBestOfThoseBelowIt) {
  const MaxConstraint constraint(chain());
  const torch::Tensor logits = torch::cat({row({-1, 2, 1}), row({3, 2, 1}), row({0, 1, 2})});
  expect_close(constraint.best_of_subtree(logits),
               torch::cat({row({2, 2, 1}), row({3, 2, 1}), row({2, 2, 2})}), kExact, "MCM");
}

TEST(MaxConstraint, InAForkAParentHasTheBetterOfItsChildren) {
  const MaxConstraint constraint(fork());
  expect_close(constraint.best_of_subtree(torch::cat({row({0, -1, 5}), row({6, -1, 5})})),
               torch::cat({row({5, -1, 5}), row({6, -1, 5})}), kExact, "MCM");
}

TEST(MaxConstraint, InAGraphBothParentsHaveTheirChildsBest) {
  // a and b over c, c over d.
  const MaxConstraint constraint(Hierarchy(std::vector<HierarchyEdge>{{"a", "", "", {}},
                                                                      {"b", "", "", {}},
                                                                      {"c", "a", "", {}},
                                                                      {"c", "b", "", {}},
                                                                      {"d", "c", "", {}}}));
  expect_close(constraint.best_of_subtree(row({0, 7, 1, 4})), row({4, 7, 4, 4}), kExact, "MCM");
}

TEST(MaxConstraint, InTheLossATrueLabelIsNotHelpedByAFalseDescendant) {
  // In the chain the first two are true: the third's 9 counts for itself alone.
  const MaxConstraint of_chain(chain());
  expect_close(of_chain.best_for_loss(row({-1, 2, 9}), row({1, 1, 0})), row({2, 2, 9}), kExact,
               "chain");
  // In the fork the first child is true: the second's 5 does not make up for the parent's 0.
  const MaxConstraint of_fork(fork());
  expect_close(of_fork.best_for_loss(row({0, -1, 5}), row({1, 1, 0})), row({0, -1, 5}), kExact,
               "fork");
  expect_close(of_fork.best_for_loss(row({0, 3, 5}), row({1, 1, 0})), row({3, 3, 5}), kExact,
               "a true child does");
}

TEST(MaxConstraint, InTheLossTargetsThatATeacherHasSoftenedCountFromOneHalfOn) {
  const MaxConstraint constraint(chain());
  expect_close(constraint.best_for_loss(row({-1, 2, 9}), row({0.9F, 0.5F, 0.2F})), row({2, 2, 9}),
               kExact, "chain");
}

TEST(MaxConstraint, InTheLossAFalseLabelAnswersForItsWholeSubtree) {
  const MaxConstraint constraint(fork());
  expect_close(constraint.best_for_loss(row({0, -1, 5}), row({0, 0, 0})), row({5, -1, 5}), kExact,
               "fork");
}

TEST(MaxConstraint, TheGradientGoesToTheBestLabelAloneAndOfEqualsToTheLabelItself) {
  const MaxConstraint constraint(chain());
  const torch::Tensor logits = torch::cat({row({0, 1, 2}), row({1, 1, 1})}).requires_grad_();
  (constraint.best_of_subtree(logits) * row({1, 10, 100})).sum().backward();
  expect_close(logits.grad(), torch::cat({row({0, 0, 111}), row({1, 10, 100})}), kExact,
               "gradient");
}

TEST(MaxConstraint, ItIsTheSameInDoublePrecision) {
  const MaxConstraint constraint(fork());
  const torch::Tensor logits = row({0, -1, 5}).to(torch::kFloat64);
  EXPECT_EQ(constraint.best_of_subtree(logits)[0][0].item<double>(), 5);
}

TEST(MaxConstraint, ManyLabelsOnSeveralLevelsAgreeWithTheHierarchysOwnConstraint) {
  torch::manual_seed(1);
  const Hierarchy hierarchy = tree_of({8, 114, 451, 4656});
  const torch::Tensor logits = torch::randn({3, 5229});
  const torch::Tensor best = MaxConstraint(hierarchy).best_of_subtree(logits);
  for (std::int64_t document = 0; document < 3; ++document) {
    const torch::Tensor own = logits[document].clone();
    hierarchy.make_coherent({own.data_ptr<float>(), 5229});
    EXPECT_TRUE(torch::equal(best[document], own));
  }
}

TEST(MaxConstraint, LossAndScoresOfAModelUseItForBothClassifiers) {
  Config config = tiny_config();
  config.model.max_constraint = true;
  const auto model = tiny_la_hcn(config, {1, 1, 1});
  // Local as above: (2, 2, 9) against (1, 1, 0); global (1, 0, -3): (1, 0, -3).
  const ModelOutput output{row({-1, 2, 9}), row({1, 0, -3})};
  EXPECT_NEAR(model->loss_of(output, row({1, 1, 0})).item<double>(),
              cost(2, true) + cost(2, true) + cost(9, false) +  // local
                  cost(1, true) + cost(0, true) + cost(-3, false),
              1e-5);
  const ModelScores scores = model->scores_of(output);
  expect_close(scores.local, torch::sigmoid(row({9, 9, 9})), {1e-6, 1e-7}, "local");
  expect_close(scores.global, torch::sigmoid(row({1, 0, -3})), {1e-6, 1e-7}, "global");
}

TEST(MaxConstraint, OffItLeavesScoresAndLossAsTheyAre) {
  const auto model = tiny_la_hcn(tiny_config(), {1, 1, 1});
  const ModelOutput output{row({-1, 2, 9}), row({1, 0, -3})};
  EXPECT_TRUE(torch::equal(model->scores_of(output).local, torch::sigmoid(row({-1, 2, 9}))));
}

}  // namespace
}  // namespace hmtc
