#include "import/importing.h"

namespace hmtc {
namespace {

class Rcv1Svm : public Importing {
 protected:
  Rcv1Svm() : Importing("rcv1-svm") {
    options_.taxonomy = directory_.write("topics",
                                         "Root\tCCAT\tMCAT\n"
                                         "CCAT\tC15\tC18\n"
                                         "C15\tC151\n"
                                         "C151\tC1511\n");
  }
};

TEST_F(Rcv1Svm, LabelsComeFromTheTaxonomyAndTermsBecomeTokens) {
  input("a.svm", "CCAT,C151 12:0.5 7:1e-2\nMCAT,C18 3:0.25 # a remark\n");
  EXPECT_EQ(import_all_as_train().shape, "2/2/1");
  EXPECT_EQ(out("train.jsonl"),
            "{\"id\":\"a-0\",\"tokens\":[\"t12\",\"t7\"],\"labels\":[\"CCAT\",\"C151\"]}\n"
            "{\"id\":\"a-1\",\"tokens\":[\"t3\"],\"labels\":[\"MCAT\",\"C18\"]}\n");
}

TEST_F(Rcv1Svm, TopicsWithoutDocumentsLeaveTheTree) {
  input("a.svm", "C151 1:1\nMCAT 1:1\n");
  const ImportReport report = import_all_as_train();
  EXPECT_EQ(out("hierarchy.tsv"), "CCAT\t\nMCAT\t\nC15\tCCAT\nC151\tC15\n");
  // C18 and C1511
  EXPECT_EQ(noted(report, ImportNote::Kind::kSkipped, "without any document"), 2U);
}

TEST_F(Rcv1Svm, ADroppedLabelGoesWithAllBelowIt) {
  options_.drop_labels = {"C15"};
  input("a.svm", "CCAT,C15,C151,C1511 1:1\nC18,MCAT 2:1\n");
  const ImportReport report = import_all_as_train();
  EXPECT_EQ(report.shape, "2/1");
  EXPECT_EQ(noted(report, ImportNote::Kind::kSkipped, "dropped"), 3U);
  EXPECT_EQ(out_lines("train.jsonl")[0],
            "{\"id\":\"a-0\",\"tokens\":[\"t1\"],\"labels\":[\"CCAT\"]}");
}

TEST_F(Rcv1Svm, OnlyConfidentWordsReplaceTermIds) {
  options_.term_words = directory_.write("words.tsv",
                                         "termid\tstem\tsurface_word\tconfident\n"
                                         "1\toil\toils\t1\n"
                                         "2\tgas\tgases\t0\n");
  input("a.svm", "MCAT 1:0.1 2:0.2 3:0.3\n");
  import_all_as_train();
  EXPECT_THAT(out("train.jsonl"), testing::HasSubstr("[\"oils\",\"t2\",\"t3\"]"));
}

TEST_F(Rcv1Svm, WithoutATaxonomyAllLabelsAreTopLabels) {
  options_.taxonomy.clear();
  input("a.svm", "b,a 1:1\n 2:1\n");
  const ImportReport report = import_all_as_train();
  EXPECT_EQ(out("hierarchy.tsv"), "a\t\nb\t\n");
  EXPECT_EQ(noted(report, ImportNote::Kind::kKept, "without a label"), 1U);
}

TEST_F(Rcv1Svm, BrokenLinesAreRefused) {
  expect_refused("a.svm", "MCAT 1:1\nXXX 1:1\n", {"a.svm:2", "\"XXX\"", "taxonomy"});
  expect_refused("a.svm", "1:1 2:1\n", {"a.svm:1", "\"1:1\""});
  expect_refused("a.svm", "MCAT,,CCAT 1:1\n", {"a.svm:1", "the label \"\""});
  expect_refused("a.svm", "MCAT 1\n", {"a.svm:1", "id:weight", "\"1\""});
  expect_refused("a.svm", "MCAT x:1\n", {"\"x:1\""});
  expect_refused("a.svm", "MCAT 1:nan\n", {"\"1:nan\""});
}

TEST_F(Rcv1Svm, BrokenTablesAreRefused) {
  input("a.svm", "MCAT 1:1\n");
  const auto refused = [&](const std::vector<std::string>& parts) {
    expect_error(ErrorKind::kInput, parts, [&] { import_all_as_train(); });
  };
  options_.term_words = directory_.write("words.tsv", "termid\tword\n1\tx\n");
  refused({"words.tsv:1", "surface_word"});
  options_.term_words = directory_.write("words.tsv", "termid\tsurface_word\tconfident\n1\tx\n");
  refused({"words.tsv:2", "3 columns"});
  options_.term_words.clear();
  options_.taxonomy = directory_.write("topics", "Root\tCCAT\t\n");
  refused({"topics:1", "empty column"});
  options_.taxonomy = directory_.write("topics", "");
  refused({"topics", "empty file"});
  options_.taxonomy = directory_.write("topics", "Root\tMCAT\nMCAT\tA\nA\tB\nB\tA\n");
  EXPECT_NO_THROW(import_all_as_train());  // the cycle lies in topics without documents
  input("b.svm", "B 1:1\n");
  refused({"cycle"});
}

TEST_F(Rcv1Svm, AnUnknownLabelToDropIsAUsageError) {
  options_.drop_labels = {"C99"};
  input("a.svm", "MCAT 1:1\n");
  expect_error(ErrorKind::kUsage, {"--drop-label", "C99"}, [&] { import_all_as_train(); });
}

}  // namespace
}  // namespace hmtc
