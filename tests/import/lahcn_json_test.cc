#include "import/importing.h"

namespace hmtc {
namespace {

class LahcnJson : public Importing {
 protected:
  LahcnJson() : Importing("lahcn-json") {}

  /// One document with these label ids per level.
  static std::string line(const std::string& label_local) {
    return "{\"id\": \"d\", \"label_local\": " + label_local + ", \"content\": [\"w\"]}\n";
  }
};

TEST_F(LahcnJson, ReadsTheSpellingOfLaHcn) {
  input(
      "a.json",
      "{\"id\": 7, \"label_combine\": [5, 13], \"label_local\": [[5], [4]], \"content\": [\"old\", "
      "\"gun\"]}\n");
  EXPECT_EQ(import_all_as_train().shape, "1/1");
  EXPECT_EQ(out("train.jsonl"),
            "{\"id\":\"7\",\"tokens\":[\"old\",\"gun\"],\"labels\":[\"L1:5\",\"L2:4\"]}\n");
  EXPECT_EQ(out("hierarchy.tsv"), "L1:5\t\nL2:4\tL1:5\n");
}

TEST_F(LahcnJson, ReadsTheSpellingOfHarnn) {
  input("a.json",
        "{\"id\": \"39\", \"title\": [\"toy\"], \"abstract\": [\"a\", \"toy\"], \"section\": [0], "
        "\"subsection\": [14], \"group\": [82], \"subgroup\": [109, 108], \"labels\": [0, 23]}\n");
  EXPECT_EQ(import_all_as_train().shape, "1/1/1/2");
  EXPECT_EQ(out("train.jsonl"),
            "{\"id\":\"39\",\"tokens\":[\"toy\",\"a\",\"toy\"],\"labels\":[\"L1:0\",\"L2:14\","
            "\"L3:82\",\"L4:109\",\"L4:108\"]}\n");
}

TEST_F(LahcnJson, ADocumentWithOneLabelAboveSettlesTheParent) {
  // The first two documents leave open whether 10 lies under 1 or 2; the third says 2.
  input("a.json", line("[[1, 2], [10]]") + line("[[1, 2], [10]]") + line("[[2], [10]]") +
                      line("[[1], [11]]"));
  const ImportReport report = import_all_as_train();
  EXPECT_EQ(out("hierarchy.tsv"), "L1:1\t\nL1:2\t\nL2:10\tL1:2\nL2:11\tL1:1\n");
  EXPECT_EQ(noted(report, ImportNote::Kind::kRepaired, "disagree"), 0U);
}

TEST_F(LahcnJson, DisagreeingDocumentsAreDecidedByTheMajorityAndReported) {
  input("a.json", line("[[1], [10]]") + line("[[2], [10]]") + line("[[2], [10]]"));
  const ImportReport report = import_all_as_train();
  EXPECT_EQ(out("hierarchy.tsv"), "L1:1\t\nL1:2\t\nL2:10\tL1:2\n");
  EXPECT_EQ(noted(report, ImportNote::Kind::kRepaired, "disagree"), 1U);
  // The first document has 10 without its parent 2.
  EXPECT_EQ(noted(report, ImportNote::Kind::kKept, "without their parent"), 1U);
}

TEST_F(LahcnJson, WithoutAClearVoteTheMostFrequentCompanionIsTheParent) {
  input("a.json", line("[[1, 3], [10]]") + line("[[2, 3], [10]]"));
  const ImportReport report = import_all_as_train();
  EXPECT_THAT(out("hierarchy.tsv"), testing::HasSubstr("L2:10\tL1:3\n"));
  EXPECT_EQ(noted(report, ImportNote::Kind::kRepaired, "several labels above"), 1U);
}

TEST_F(LahcnJson, ALabelWithNothingAboveBecomesATopLabel) {
  input("a.json", line("[[], [10]]") + line("[[1], []]"));
  const ImportReport report = import_all_as_train();
  EXPECT_EQ(out("hierarchy.tsv"), "L1:1\t\nL2:10\t\n");
  EXPECT_EQ(noted(report, ImportNote::Kind::kRepaired, "made top labels"), 1U);
}

TEST_F(LahcnJson, BrokenLinesAreRefused) {
  expect_refused("a.json", line("[[1]]") + "{\"id\": \n", {"a.json:2", "a JSON object"});
  expect_refused("a.json", "[1]\n", {"a.json:1", "a JSON object"});
  expect_refused("a.json", "{\"content\": [\"w\"]}\n", {"a.json:1", "label_local"});
  expect_refused("a.json", "{\"label_local\": [[1]]}\n", {"a.json:1", "content"});
  expect_refused("a.json", "{\"label_local\": [[1]], \"content\": \"w\"}\n", {"a list of words"});
  expect_refused("a.json", "{\"label_local\": [[1]], \"content\": [1]}\n", {"a list of words"});
  expect_refused("a.json", line("[1]"), {"a.json:1", "a list of label ids"});
  expect_refused("a.json", line("[[-1]]"), {"whole numbers from 0"});
  expect_refused("a.json", line("[[\"a\"]]"), {"whole numbers from 0"});
  expect_refused("a.json", "{\"id\": [], \"label_local\": [[1]], \"content\": []}\n", {"\"id\""});
  expect_refused("a.json", "{\"id\": \"\xFF\", \"label_local\": [[1]], \"content\": []}\n",
                 {"a.json:1", "UTF-8"});
}

}  // namespace
}  // namespace hmtc
