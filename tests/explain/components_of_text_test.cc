#include "explain/components_of_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hmtc {
namespace {

using testing::ElementsAre;
using testing::Pair;

/// Level 1 has the label a, level 2 has b and c.
Hierarchy small_tree() {
  return Hierarchy(
      std::vector<HierarchyEdge>{{"a", "", "", {}}, {"b", "a", "", {}}, {"c", "a", "", {}}});
}

/// Two components each; two words.
std::vector<LevelComponents> small_components() {
  return {{2, {1, 5, 2, 4}, {0.75F, 0.25F}}, {2, {3, 0, 1, 6}, {0.875F, 0.125F, 0.25F, 0.75F}}};
}

Explanation explaining(const std::vector<std::string>& labels) {
  const Hierarchy tree = small_tree();
  Explanation explanation;
  for (const std::string& name : labels) {
    LabelExplanation& label = explanation.labels.emplace_back();
    label.id = tree.find(name);
    label.label = name;
    label.level = tree.level_of(label.id) + 1;
  }
  return explanation;
}

TEST(ComponentsOfText, AModelWithoutComponentsHasNone) {
  EXPECT_TRUE(components_of_text({}, small_tree(), explaining({"a"})).empty());
}

TEST(ComponentsOfText, UseIsTheMeanAssociationOfTheExplainedLabelsOfTheLevel) {
  const auto components =
      components_of_text(small_components(), small_tree(), explaining({"a", "c"}));
  ASSERT_EQ(components.size(), 4U);
  EXPECT_EQ(components[0].level, 1U);
  EXPECT_EQ(components[0].component, 1U);
  EXPECT_FLOAT_EQ(components[0].use, 0.75F);
  // Of level 2 the label c counts alone, and its second component is the most used.
  EXPECT_EQ(components[2].level, 2U);
  EXPECT_EQ(components[2].component, 2U);
  EXPECT_FLOAT_EQ(components[2].use, 0.75F);
  EXPECT_FLOAT_EQ(components[3].use, 0.25F);
}

TEST(ComponentsOfText, ALevelWithoutAnExplainedLabelCountsAllOfItsLabels) {
  const auto components = components_of_text(small_components(), small_tree(), explaining({"a"}));
  EXPECT_EQ(components[2].component, 1U);
  EXPECT_FLOAT_EQ(components[2].use, (0.875F + 0.25F) / 2);
}

TEST(ComponentsOfText, WordsAndLabelsComeBestFirst) {
  const auto components =
      components_of_text(small_components(), small_tree(), explaining({"a", "b"}));
  EXPECT_THAT(components[0].words, ElementsAre(Pair(1, 2), Pair(0, 1)));
  EXPECT_THAT(components[2].words, ElementsAre(Pair(0, 3), Pair(1, 1)));
  EXPECT_THAT(components[2].labels, ElementsAre(Pair("b", 0.875F), Pair("c", 0.25F)));
  EXPECT_THAT(components[3].labels, ElementsAre(Pair("c", 0.75F), Pair("b", 0.125F)));
}

}  // namespace
}  // namespace hmtc
