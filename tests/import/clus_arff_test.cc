#include "import/importing.h"

namespace hmtc {
namespace {

const std::string kHeader =
    "% mails\n"
    "@RELATION mails\n"
    "@attribute price numeric\n"
    "@Attribute 'two words' REAL\n"
    "@ATTRIBUTE gas {0,1}\n"
    "@ATTRIBUTE class hierarchical 1,1/2,1/2/1,3\n"
    "\n"
    "@Data\n";

class ClusArff : public Importing {
 protected:
  ClusArff() : Importing("clus-arff") {}
};

TEST_F(ClusArff, WordsAreTheAttributesAboveZero) {
  input("m.arff", kHeader + "1,0,1,1/2/1@3\n% between\n0, 2.5 ,0, 1/2\n");
  const ImportReport report = import_all_as_train();
  EXPECT_EQ(out("train.jsonl"),
            "{\"id\":\"m-0\",\"tokens\":[\"price\",\"gas\"],\"labels\":[\"1/2/1\",\"3\"]}\n"
            "{\"id\":\"m-1\",\"tokens\":[\"two words\"],\"labels\":[\"1/2\"]}\n");
  EXPECT_EQ(out("hierarchy.tsv"), "1\t\n3\t\n1/2\t1\n1/2/1\t1/2\n");
  EXPECT_EQ(report.shape, "2/1/1");
}

TEST_F(ClusArff, SparseRowsNameTheirAttributes) {
  input("m.arff", kHeader + "{0 1, 2 1, 3 1/2@3}\n{3 '1'}\n");
  const ImportReport report = import_all_as_train();
  EXPECT_EQ(out("train.jsonl"),
            "{\"id\":\"m-0\",\"tokens\":[\"price\",\"gas\"],\"labels\":[\"1/2\",\"3\"]}\n"
            "{\"id\":\"m-1\",\"tokens\":[],\"labels\":[\"1\"]}\n");
  EXPECT_EQ(noted(report, ImportNote::Kind::kKept, "without a word"), 1U);
}

TEST_F(ClusArff, MissingValuesCountAsZeroAndAreReported) {
  input("m.arff", kHeader + "?,1,?,3\n");
  EXPECT_EQ(noted(import_all_as_train(), ImportNote::Kind::kRepaired, "missing values"), 2U);
}

TEST_F(ClusArff, AllInputsMustDeclareOneHierarchy) {
  input("train.arff", kHeader + "1,1,1,3\n");
  input("test.arff", "@attribute a numeric\n@attribute c hierarchical 1,9\n@data\n1,1\n");
  expect_error(ErrorKind::kInput, {"test.arff:2", "the hierarchy that", "train.arff"},
               [&] { import_data(options_); });
}

TEST_F(ClusArff, BrokenHeadersAreRefused) {
  expect_refused("m.arff", "", {"m.arff", "a line @data"});
  expect_refused("m.arff", "@attribute a numeric\n@data\n1\n", {"m.arff:2", "hierarchical"});
  expect_refused("m.arff", "hello\n", {"m.arff:1", "\"hello\""});
  expect_refused("m.arff", "@attribute\n", {"m.arff:1", "@attribute NAME TYPE"});
  expect_refused("m.arff", "@attribute a string\n", {"m.arff:1", "\"string\""});
  expect_refused("m.arff", "@attribute 'a numeric\n", {"m.arff:1", "closing quote"});
  expect_refused("m.arff", "@attribute c hierarchical 1,1//2\n@data\n1\n",
                 {"m.arff:1", "empty step"});
  expect_refused("m.arff", "@attribute c hierarchical 1\n@attribute d hierarchical 2\n@data\n",
                 {"m.arff:2", "one hierarchical attribute"});
}

TEST_F(ClusArff, BrokenRowsAreRefused) {
  expect_refused("m.arff", kHeader + "1,0,1\n", {"m.arff:9", "4 values", "found 3"});
  expect_refused("m.arff", kHeader + "1,0,x,3\n", {"m.arff:9", "\"gas\"", "\"x\""});
  expect_refused("m.arff", kHeader + "1,0,1,1/9\n", {"m.arff:9", "declares", "\"1/9\""});
  expect_refused("m.arff", kHeader + "{0 1, 3 1\n", {"m.arff:9", "closing }"});
  expect_refused("m.arff", kHeader + "{2 1, 0 1}\n", {"m.arff:9", "ascending"});
  expect_refused("m.arff", kHeader + "{4 1}\n", {"m.arff:9", "below 4"});
  expect_refused("m.arff", kHeader + "{1}\n", {"m.arff:9", "INDEX VALUE"});
}

}  // namespace
}  // namespace hmtc
