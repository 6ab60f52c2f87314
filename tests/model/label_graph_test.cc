#include "model/label_graph.h"

#include <gtest/gtest.h>

#include "support/tensors.h"
#include "support/tiny_model.h"

namespace hmtc {
namespace {

constexpr Tolerance kExact{0, 0};

/// a and b on top, c below both, d below c and, a level further up, a.
Hierarchy two_parents() {
  return Hierarchy(std::vector<HierarchyEdge>{{"a", "", "", {}},
                                              {"b", "", "", {}},
                                              {"c", "a", "", {}},
                                              {"c", "b", "", {}},
                                              {"d", "c", "", {}},
                                              {"d", "a", "", {}}});
}

TEST(LabelGraph, ALevelAloneHasNoEdges) { EXPECT_EQ(LabelGraph(tree_of({3})).num_levels(), 1U); }

TEST(LabelGraph, InATreeALabelTakesWhatItsParentHas) {
  const LabelGraph graph(tree_of({2, 3}));  // the third lies under the first again
  const torch::Tensor rows = torch::tensor({{1.0F, 2.0F}, {3.0F, 4.0F}});
  expect_close(graph.mean_of_parents(rows, 1),
               torch::tensor({{1.0F, 2.0F}, {3.0F, 4.0F}, {1.0F, 2.0F}}), kExact, "mean");
  expect_close(graph.least_of_parents(rows, 1),
               torch::tensor({{1.0F, 2.0F, 1.0F}, {3.0F, 4.0F, 3.0F}}), kExact, "least");
}

TEST(LabelGraph, OfSeveralParentsItTakesTheMeanOrTheLeast) {
  const LabelGraph graph(two_parents());
  expect_close(graph.mean_of_parents(torch::tensor({{2.0F}, {4.0F}}), 1), torch::tensor({{3.0F}}),
               kExact, "mean of a and b");
  expect_close(graph.least_of_parents(torch::tensor({{2.0F, 4.0F}, {6.0F, 5.0F}}), 1),
               torch::tensor({{2.0F}, {5.0F}}), kExact, "least of a and b");
  expect_close(graph.mean_of_parents(torch::tensor({{2.0F}, {4.0F}, {8.0F}}), 2),
               torch::tensor({{5.0F}}), kExact, "mean of a and c");
  expect_close(graph.least_of_parents(torch::tensor({{9.0F, 1.0F, 8.0F}}), 2),
               torch::tensor({{8.0F}}), kExact, "least of a and c");
}

}  // namespace
}  // namespace hmtc
