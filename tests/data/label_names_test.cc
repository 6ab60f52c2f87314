#include "data/label_names.h"

#include <gtest/gtest.h>

namespace hmtc {
namespace {

TEST(WordsOfLabelNames, AreThoseOfTheDescriptionThatTheVocabularyHas) {
  VocabularyBuilder builder;
  builder.add("trail", 3);
  builder.add("running", 2);
  const Vocabulary vocabulary = builder.build(1, 0);  // ids 2 and 3
  const Hierarchy hierarchy(std::vector<HierarchyEdge>{{"a", "", "", {}},
                                                       {"b", "a", "Running, on a TRAIL", {}},
                                                       {"trail", "a", "", {}},
                                                       {"c", "a", "nothing known", {}}});
  const std::vector<std::vector<std::int32_t>> expected = {{}, {3, 2}, {}, {}};
  EXPECT_EQ(words_of_label_names(hierarchy, vocabulary, TextOptions()), expected);
}

}  // namespace
}  // namespace hmtc
