#include "data/truth.h"

#include <gtest/gtest.h>

namespace hmtc {
namespace {

using Floats = std::vector<float>;

// a 0, b 1 / ax 2 under a, abx 3 under a and b.
const Hierarchy& small_graph() {
  static const Hierarchy graph({{"a", "", "", {}},
                                {"b", "", "", {}},
                                {"ax", "a", "", {}},
                                {"abx", "a", "", {}},
                                {"abx", "b", "", {}}});
  return graph;
}

TEST(HierarchyArrays, ListLevelsAndParents) {
  const HierarchyArrays arrays(small_graph());
  EXPECT_EQ(arrays.level_begin, (std::vector<std::int32_t>{0, 2, 4}));
  EXPECT_EQ(arrays.parent_offsets, (std::vector<std::size_t>{0, 0, 0, 1, 3}));
  EXPECT_EQ(arrays.parent_ids, (std::vector<std::int32_t>{0, 0, 1}));
}

TEST(TruthOf, ACorpusWithoutDocumentsIsEmpty) {
  const Corpus corpus;
  EXPECT_EQ(truth_of(corpus).size(), 0U);
}

TEST(TruthOf, GivesTheLabelsOfEachDocument) {
  Corpus corpus;
  corpus.append("1", {}, {});
  corpus.append("2", std::vector<std::int32_t>{7, 8}, std::vector<LabelId>{0, 2});
  const LabelSets truth = truth_of(corpus);
  ASSERT_EQ(truth.size(), 2U);
  EXPECT_TRUE(truth.of(0).empty());
  ASSERT_EQ(truth.of(1).size(), 2U);
  EXPECT_EQ(truth.of(1)[1], 2);
  EXPECT_EQ(corpus.words_of(1).size(), 2U);
}

TEST(MakeCoherent, RaisesParentsInEveryDocument) {
  Floats nothing;
  make_coherent(small_graph(), nothing);
  EXPECT_TRUE(nothing.empty());

  Floats scores = {0.1F, 0.2F, 0.3F, 0.9F,   // abx lifts a and b
                   0.8F, 0.1F, 0.5F, 0.4F};  // abx lifts b alone
  make_coherent(small_graph(), scores);
  EXPECT_EQ(scores, (Floats{0.9F, 0.9F, 0.3F, 0.9F, 0.8F, 0.4F, 0.5F, 0.4F}));
}

}  // namespace
}  // namespace hmtc
