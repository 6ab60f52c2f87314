#include "hierarchy/hierarchy.h"

#include <gtest/gtest.h>

#include <chrono>

#include "hierarchy/hierarchy_file.h"
#include "support/expect_error.h"
#include "support/temporary_directory.h"

namespace hmtc {
namespace {

Hierarchy read(const std::string& content) {
  const TemporaryDirectory directory;
  return read_hierarchy(directory.write("hierarchy.tsv", content));
}

void expect_refused(const std::string& content, const std::vector<std::string>& parts) {
  expect_error(ErrorKind::kInput, parts, [&] { read(content); });
}

TEST(Hierarchy, OneLabelIsOneLevel) {
  const Hierarchy hierarchy = read("a\t\n");
  EXPECT_EQ(hierarchy.shape(), "1");
  EXPECT_EQ(hierarchy.name(0), "a");
}

TEST(Hierarchy, IdsAreContiguousPerLevelInOrderOfAppearance) {
  const Hierarchy hierarchy = read("b/x\tb\na\t\nb\t\na/y\ta\n");
  EXPECT_EQ(hierarchy.shape(), "2/2");
  EXPECT_EQ(hierarchy.name(0), "a");
  EXPECT_EQ(hierarchy.name(1), "b");
  EXPECT_EQ(hierarchy.name(2), "b/x");
  EXPECT_EQ(hierarchy.name(3), "a/y");
  EXPECT_EQ(hierarchy.level_of(1), 0U);
  EXPECT_EQ(hierarchy.level_of(2), 1U);
}

TEST(Hierarchy, ALabelOfAGraphLiesBelowItsLongestPath) {
  // d hangs under a (depth 1) and under c (depth 2): its level is 3, counted from 0.
  const Hierarchy hierarchy = read("a\t\nb\ta\nc\tb\nd\ta\nd\tc\n");
  EXPECT_EQ(hierarchy.level_of(hierarchy.find("d")), 3U);
  const LabelId d = hierarchy.find("d");
  EXPECT_EQ(hierarchy.closure(std::vector<LabelId>{d}), (std::vector<LabelId>{0, 1, 2, 3}));
}

TEST(Hierarchy, ClosureOfNothingIsNothing) { EXPECT_TRUE(read("a\t\n").closure({}).empty()); }

TEST(Hierarchy, MakeCoherentRaisesEveryAncestor) {
  const Hierarchy hierarchy = read("a\t\nb\ta\nc\tb\nd\t\n");  // ids a 0, d 1, b 2, c 3
  std::vector<float> scores = {0.1F, 0.2F, 0.3F, 0.9F};
  hierarchy.make_coherent(scores);
  EXPECT_EQ(scores, (std::vector<float>{0.9F, 0.2F, 0.9F, 0.9F}));
}

TEST(HierarchyFile, WrittenAndReadBackItIsTheSame) {
  const Hierarchy first = read("b\t\tname of b\na\t\nx\ta\nx\tb\n");
  const Hierarchy second = read(to_tsv(first));
  EXPECT_EQ(to_tsv(second), to_tsv(first));
  EXPECT_EQ(second.description(second.find("b")), "name of b");
  EXPECT_EQ(second.parents(second.find("x")).size(), 2U);
}

TEST(HierarchyFile, ACycleIsNamed) {
  expect_refused("top\t\na\tc\nb\ta\nc\tb\n", {"hierarchy.tsv:2", "cycle", "a", "b", "c"});
}

TEST(HierarchyFile, ALabelUnderItselfIsACycle) { expect_refused("a\ta\n", {"cycle a < a"}); }

TEST(HierarchyFile, AnUnknownParentIsNamed) {
  expect_refused("a\t\nb\tzzz\n", {"hierarchy.tsv:2", "zzz", "add a line"});
}

TEST(HierarchyFile, ADuplicateLineIsNamed) {
  expect_refused("a\t\nb\ta\nb\ta\n", {"hierarchy.tsv:3", "again"});
  expect_refused("a\t\na\t\n", {"hierarchy.tsv:2", "no parent again"});
}

TEST(HierarchyFile, WrongColumnsEmptyFilesAndBadUtf8AreRefused) {
  expect_refused("a\n", {"hierarchy.tsv:1", "1 column(s)"});
  expect_refused("a\tb\tc\td\n", {"4 column(s)"});
  expect_refused("", {"empty file"});
  expect_refused("\xff\t\n", {"UTF-8"});
  expect_refused("\t\n", {"empty name"});
}

TEST(HierarchyFromPaths, EveryPrefixIsALabel) {
  const Hierarchy hierarchy = hierarchy_from_paths({{"a/b/c", {}}, {"a/d", {}}, {"e", {}}});
  EXPECT_EQ(hierarchy.shape(), "2/2/1");
  EXPECT_EQ(hierarchy.name(hierarchy.parents(hierarchy.find("a/b/c"))[0]), "a/b");
}

TEST(HierarchyFromPaths, AnEmptyStepIsRefused) {
  for (const std::string label : {"a//b", "/a", "a/", ""}) {
    expect_error(ErrorKind::kInput, {"f:7:", "empty step"}, [&] {
      hierarchy_from_paths({{label, {"f", 7}}});
    });
  }
}

TEST(HierarchyFile, AHundredThousandLabelsLoad) {
  std::string content;
  for (int i = 0; i < 100000; ++i) {
    content += std::to_string(i) + "\t" + (i < 10 ? "" : std::to_string(i / 10)) + "\n";
  }
  const Hierarchy hierarchy = read(content);
  EXPECT_EQ(hierarchy.num_labels(), 100000U);
  EXPECT_EQ(hierarchy.num_levels(), 5U);
}

}  // namespace
}  // namespace hmtc
