#include "data/label_resolver.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"

namespace hmtc {
namespace {

using Ids = std::vector<LabelId>;

// Ids: a 0, b 1, then the second level: a/x 2.
const Hierarchy& small_tree() {
  static const Hierarchy tree({{"a", "", "", {}}, {"b", "", "", {}}, {"a/x", "a", "", {}}});
  return tree;
}

TEST(LabelResolver, NoLabelsAreNoIds) {
  EXPECT_EQ(LabelResolver(small_tree(), true).resolve({}, {}), Ids{});
}

TEST(LabelResolver, AddsAncestorsAndNamesEachOnce) {
  LabelResolver resolver(small_tree(), true);
  EXPECT_EQ(resolver.resolve({"a/x"}, {}), (Ids{0, 2}));
  EXPECT_EQ(resolver.resolve({"a/x", "b", "a", "a/x"}, {}), (Ids{0, 1, 2}));
}

TEST(LabelResolver, StrictRefusesAnUnknownLabelWithItsPlace) {
  LabelResolver resolver(small_tree(), true);
  expect_error(ErrorKind::kInput, {"f.jsonl:9", "\"c\"", "data.strict=false"}, [&] {
    resolver.resolve({"a", "c"}, {"f.jsonl", 9});
  });
}

TEST(LabelResolver, LenientLeavesUnknownLabelsOutAndCountsThem) {
  LabelResolver resolver(small_tree(), false);
  EXPECT_EQ(resolver.resolve({"c", "a/x", "d"}, {}), (Ids{0, 2}));
  EXPECT_EQ(resolver.resolve({"c"}, {}), Ids{});
  EXPECT_EQ(resolver.left_out(), (std::map<std::string, std::size_t>{{"c", 2}, {"d", 1}}));
}

}  // namespace
}  // namespace hmtc
