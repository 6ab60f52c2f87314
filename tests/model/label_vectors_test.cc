#include "model/label_vectors.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/tensors.h"
#include "support/tiny_model.h"

namespace hmtc {
namespace {

constexpr Tolerance kRounding{1e-5, 1e-6};

torch::Tensor column(std::initializer_list<float> values) {
  return torch::tensor(std::vector<float>(values)).unsqueeze(1);
}

double deviation(const torch::Tensor& values) {
  return values.square().mean().sqrt().item<double>();
}

/// Rows of unit length.
torch::Tensor directions(const torch::Tensor& rows) {
  return rows / rows.square().sum(1, /*keepdim=*/true).sqrt();
}

TEST(LabelSharing, OnOneLevelALabelIsItsOwn) {
  const LabelVectors own = {column({1, 2})};
  EXPECT_TRUE(torch::equal(shared_labels(own, LabelGraph(tree_of({2})))[0], own[0]));
}

TEST(LabelSharing, InAChainALabelIsTheSumOfItselfAndAllAbove) {
  const LabelGraph graph(tree_of({1, 1, 1}));
  const LabelVectors V = shared_labels({column({1}), column({10}), column({100})}, graph);
  EXPECT_EQ(V[0].item<float>(), 1);
  EXPECT_EQ(V[1].item<float>(), 11);
  EXPECT_EQ(V[2].item<float>(), 111);
}

TEST(LabelSharing, InAForkSiblingsShareTheirParentWhichLearnsFromBoth) {
  const LabelGraph graph(tree_of({1, 2}));
  const LabelVectors U = {column({1}).requires_grad_(), column({10, 20}).requires_grad_()};
  const LabelVectors V = shared_labels(U, graph);
  expect_close(V[1], column({11, 21}), kRounding, "V");
  (V[1] * column({3, 4})).sum().backward();
  EXPECT_EQ(U[0].grad().item<float>(), 7);
  expect_close(U[1].grad(), column({3, 4}), kRounding, "own gradient");
}

TEST(LabelSharing, OfSeveralParentsOnAnyLevelAboveItIsTheMean) {
  // b under a; c under a and b: a = 1, b = 1 + 2 = 3, c = (1 + 3) / 2 + 5.
  const LabelGraph graph(Hierarchy(std::vector<HierarchyEdge>{
      {"a", "", "", {}}, {"b", "a", "", {}}, {"c", "a", "", {}}, {"c", "b", "", {}}}));
  const LabelVectors V = shared_labels({column({1}), column({2}), column({5})}, graph);
  EXPECT_EQ(V[2].item<float>(), 7);
}

TEST(LabelSharing, OwnVectorsAreThoseThatSharingTurnsIntoTheGivenOnes) {
  torch::manual_seed(1);
  const LabelGraph graph(tree_of({2, 5, 7}));
  const LabelVectors V = {torch::randn({2, 3}), torch::randn({5, 3}), torch::randn({7, 3})};
  const LabelVectors again = shared_labels(own_labels(V, graph), graph);
  for (std::size_t h = 0; h < 3; ++h) expect_close(again[h], V[h], kRounding, "V");
}

TEST(LabelSharing, AtTheStartEveryLevelHasItsVarianceAndIsHalfOfItsParent) {
  torch::manual_seed(2);
  const LabelGraph graph(tree_of({20, 200, 600}));
  const LabelVectors drawn = {torch::randn({20, 256}), torch::randn({200, 256}),
                              torch::randn({600, 256})};
  const LabelVectors V = related_labels(drawn, graph);
  EXPECT_TRUE(torch::equal(V[0], drawn[0]));
  for (std::size_t h = 1; h < 3; ++h) {
    EXPECT_NEAR(deviation(V[h]), 1, 0.02) << h;
    const LabelVectors above(V.begin(), V.begin() + static_cast<std::ptrdiff_t>(h));
    const torch::Tensor parents = graph.mean_of_parents(torch::cat(above), h);
    const torch::Tensor cosine = (directions(V[h]) * directions(parents)).sum(1);
    EXPECT_NEAR(cosine.mean().item<double>(), std::sqrt(0.5), 0.02) << h;
  }
  // Labels i and i + 20 are siblings; i and i + 1 are not.
  const torch::Tensor d = directions(V[1]);
  EXPECT_NEAR((d[3] * d[23]).sum().item<double>(), 0.5, 0.15);
  EXPECT_NEAR((d[3] * d[24]).sum().item<double>(), 0, 0.25);
}

TEST(LabelSharing, AModelStartsSoAndKeepsItsOwnPartAsTheParameter) {
  Config config = tiny_config();
  config.model.document_width = 400;
  config.model.label_sharing = true;
  const auto model = tiny_la_hcn(config, {5, 60});
  const auto parameters = model->named_parameters();
  const LabelVectors V = shared_labels({parameters["level_1.labels"], parameters["level_2.labels"]},
                                       LabelGraph(tree_of({5, 60})));
  EXPECT_NEAR(deviation(V[0]), 0.05, 0.002);  // 1 / sqrt(400), as without sharing
  EXPECT_NEAR(deviation(V[1]), 0.05, 0.002);
  config.model.label_sharing = false;
  const auto plain = tiny_la_hcn(config, {5, 60});
  EXPECT_TRUE(torch::equal(plain->named_parameters()["level_1.labels"], V[0]));
  EXPECT_FALSE(torch::equal(plain->named_parameters()["level_2.labels"], V[1]));
  EXPECT_EQ(parameters.size(), plain->named_parameters().size());
}

TEST(LabelSharing, AModelComputesWithTheSharedVectors) {
  // The same V, once as it stands and once taken apart, gives the same results.
  Config config = tiny_config();
  const std::vector<std::int64_t> levels = {2, 4, 3};
  const auto plain = tiny_la_hcn(config, levels);
  config.model.label_sharing = true;
  const auto sharing = tiny_la_hcn(config, levels);
  const auto names = {"level_1.labels", "level_2.labels", "level_3.labels"};
  LabelVectors V;
  const torch::NoGradGuard no_grad;
  for (const char* name : names) V.push_back(plain->named_parameters()[name].clone());
  const LabelVectors U = own_labels(V, LabelGraph(tree_of(levels)));
  for (std::size_t h = 0; h < 3; ++h) {
    sharing->named_parameters()["level_" + std::to_string(h + 1) + ".labels"].copy_(U[h]);
  }
  const WordBatch batch = batch_of({{2, 5, 1}, {}, {3, 2, 7, 3, 9}});
  const ModelOutput expected = plain->forward(batch);
  const ModelOutput found = sharing->forward(batch);
  expect_close(found.local_logits, expected.local_logits, kRounding, "local");
  expect_close(found.global_logits, expected.global_logits, kRounding, "global");
}

/// Twenty words of width 30; labels 0 and 3 have the same name, 1 another, 2 none.
const std::vector<std::vector<std::int32_t>> kNames = {{2, 3}, {4}, {}, {3, 2}};

LabelVectors drawn_labels() {
  torch::manual_seed(3);
  return {torch::randn({2, 500}) / 10, torch::randn({2, 500}) / 10};
}

torch::Tensor word_vectors() {
  torch::manual_seed(4);
  return torch::randn({20, 30}) * 0.4 + 5;  // all words point the same way, as GloVe's do
}

TEST(LabelNames, WithoutAnyNameTheLabelsStayAsDrawn) {
  const LabelVectors drawn = drawn_labels();
  const LabelVectors named = named_labels(drawn, word_vectors(), {{}, {}, {}, {}});
  EXPECT_TRUE(torch::equal(torch::cat(named), torch::cat(drawn)));
  // What one name has in common with all names is all of it.
  const LabelVectors one = named_labels(drawn, word_vectors(), {{2}, {}, {}, {}});
  EXPECT_TRUE(torch::equal(torch::cat(one), torch::cat(drawn)));
}

TEST(LabelNames, LabelsOfTheSameNameStartAlikeAndThoseWithoutOneAsDrawn) {
  const LabelVectors drawn = drawn_labels();
  const torch::Tensor named = torch::cat(named_labels(drawn, word_vectors(), kNames));
  EXPECT_TRUE(torch::equal(named[2], torch::cat(drawn)[2]));
  for (const std::int64_t label : {0, 1, 3}) EXPECT_NEAR(deviation(named[label]), 0.1, 0.01);
  const torch::Tensor d = directions(named);
  EXPECT_NEAR((d[0] * d[3]).sum().item<double>(), 0.5, 0.1);
  EXPECT_LT((d[0] * d[1]).sum().item<double>(), 0.1);
  // Half of the variance is still what was drawn.
  EXPECT_NEAR((d[0] * directions(torch::cat(drawn))[0]).sum().item<double>(), std::sqrt(0.5), 0.1);
}

TEST(LabelNames, TheProjectionIsAlwaysTheSame) {
  const LabelVectors drawn = drawn_labels();
  const torch::Tensor words = word_vectors();
  torch::manual_seed(5);
  const torch::Tensor first = torch::cat(named_labels(drawn, words, kNames));
  torch::manual_seed(6);
  EXPECT_TRUE(torch::equal(torch::cat(named_labels(drawn, words, kNames)), first));
}

}  // namespace
}  // namespace hmtc
