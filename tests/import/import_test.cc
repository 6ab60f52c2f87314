#include "import/import.h"

#include <set>

#include "import/importing.h"

namespace hmtc {
namespace {

using testing::ElementsAre;
namespace fs = std::filesystem;

std::string fasttext_lines(int count, const std::string& word) {
  std::string content;
  for (int i = 0; i < count; ++i) content += "__label__a " + word + std::to_string(i) + "\n";
  return content;
}

class Import : public Importing {
 protected:
  Import() : Importing("fasttext") {}

  std::set<std::string> ids(const std::string& file) const {
    const auto lines = out_lines(file);
    std::set<std::string> found;
    for (const std::string& line : lines) found.insert(line.substr(0, line.find(',')));
    return found;
  }
};

TEST_F(Import, ThreeInputsAreTrainValAndTest) {
  input("one.txt", "__label__a x\n");
  input("two.txt", "__label__a y\n__label__a y2\n");
  input("three.txt", "__label__b z\n");
  const ImportReport report = import_data(options_);
  EXPECT_EQ(report.train_documents, 1U);
  EXPECT_EQ(report.val_documents, 2U);
  EXPECT_EQ(report.test_documents, 1U);
  EXPECT_EQ(report.shape, "2");
  EXPECT_EQ(out("train.jsonl"), "{\"id\":\"one-0\",\"text\":\"x\",\"labels\":[\"a\"]}\n");
  EXPECT_EQ(out("test.jsonl"), "{\"id\":\"three-0\",\"text\":\"z\",\"labels\":[\"b\"]}\n");
  EXPECT_EQ(out("hierarchy.tsv"), "a\t\nb\t\n");
}

TEST_F(Import, AMissingValIsFifteenPercentOfTrain) {
  input("train.txt", fasttext_lines(20, "w"));
  input("test.txt", fasttext_lines(4, "v"));
  const ImportReport report = import_data(options_);
  EXPECT_EQ(report.train_documents, 17U);  // 20 - 3
  EXPECT_EQ(report.val_documents, 3U);     // 15 % of 20
  EXPECT_EQ(report.test_documents, 4U);
  std::set<std::string> all = ids("train.jsonl");
  all.merge(ids("val.jsonl"));
  EXPECT_EQ(all.size(), 20U);
}

TEST_F(Import, ASplitPoolsAllInputsAndLosesNothing) {
  input("a.txt", fasttext_lines(7, "w"));
  input("b.txt", fasttext_lines(6, "v"));
  options_.split = {{60, 20, 20}};
  const ImportReport report = import_data(options_);
  EXPECT_EQ(report.val_documents, 3U);    // 2.6 rounded
  EXPECT_EQ(report.test_documents, 3U);   // 2.6 rounded
  EXPECT_EQ(report.train_documents, 7U);  // the rest
  std::set<std::string> all = ids("train.jsonl");
  all.merge(ids("val.jsonl"));
  all.merge(ids("test.jsonl"));
  EXPECT_EQ(all.size(), 13U);
}

TEST_F(Import, TheSameSeedGivesTheSameSplitAndAnotherSeedAnother) {
  input("a.txt", fasttext_lines(50, "w"));
  options_.split = {{60, 20, 20}};
  options_.seed = 7;
  import_data(options_);
  const std::string first = out("train.jsonl");
  import_data(options_);
  EXPECT_EQ(out("train.jsonl"), first);
  options_.seed = 8;
  import_data(options_);
  EXPECT_NE(out("train.jsonl"), first);
}

TEST_F(Import, ASplitWithoutDocumentsHasNoFileAndAnOldOneGoes) {
  input("a.txt", fasttext_lines(10, "w"));
  options_.split = {{60, 20, 20}};
  import_data(options_);
  EXPECT_TRUE(fs::exists(options_.out / "val.jsonl"));
  import_all_as_train();
  EXPECT_FALSE(fs::exists(options_.out / "val.jsonl"));
  EXPECT_EQ(out_lines("train.jsonl").size(), 10U);
}

TEST_F(Import, ABrokenInputLeavesTheOldDataAsTheyWere) {
  input("good.txt", "__label__a x\n");
  import_all_as_train();
  const std::string before = out("train.jsonl");
  expect_refused("bad.txt", "__label__a x\n__label__a//b y\n", {"bad.txt:2"});
  EXPECT_EQ(out("train.jsonl"), before);
  for (const auto& entry : fs::directory_iterator(options_.out)) {
    EXPECT_THAT(entry.path().string(), testing::Not(testing::HasSubstr(".hmtc-tmp")));
  }
}

TEST_F(Import, ReportsDocumentsWithoutWordOrLabel) {
  input("a.txt", "__label__a\nword\n__label__a word\n");
  const ImportReport report = import_all_as_train();
  EXPECT_EQ(report.train_documents, 3U);
  EXPECT_EQ(noted(report, ImportNote::Kind::kKept, "without a word"), 1U);
  EXPECT_EQ(noted(report, ImportNote::Kind::kKept, "without a label"), 1U);
  EXPECT_THAT(to_text(report), testing::HasSubstr("a.txt:2"));
}

TEST_F(Import, CountsLabelsWithTheirAncestors) {
  input("a.txt", "__label__a/b/c x\n__label__a y\n");
  // The first document has a, a/b and a/b/c, the second has a: 4 labels in 2 documents.
  EXPECT_DOUBLE_EQ(import_all_as_train().labels_per_document, 2.0);
}

TEST_F(Import, ALabelGivenTwiceIsWrittenOnce) {
  input("a.txt", "__label__a __label__a x\n");
  import_all_as_train();
  EXPECT_THAT(out("train.jsonl"), testing::HasSubstr("\"labels\":[\"a\"]"));
}

TEST_F(Import, BadUtf8IsRefusedWithItsLine) {
  expect_refused("a.txt", "__label__a fine\n__label__a \xC3(\n", {"a.txt:2", "UTF-8"});
  expect_refused("a.txt", "__label__\xFF x\n", {"a.txt:1", "UTF-8"});
}

TEST_F(Import, AnInputWithoutDocumentsIsRefused) {
  expect_refused("a.txt", "\n", {"a.txt", "at least one document"});
}

TEST_F(Import, GzipAndPlainNamesGiveTheSameIds) {
  // The empty deflate stream would be no document, so the name alone is gzip's here.
  input("data.txt.gz", "__label__a x\n");
  import_all_as_train();
  EXPECT_THAT(out("train.jsonl"), testing::HasSubstr("\"id\":\"data-0\""));
}

TEST_F(Import, InputsOfTheSameNameGetDifferentIds) {
  input("x/data.txt", "__label__a x\n");
  input("y/data.txt", "__label__a y\n");
  import_all_as_train();
  const auto lines = out_lines("train.jsonl");
  EXPECT_THAT(lines[0], testing::HasSubstr("\"data-0\""));
  EXPECT_THAT(lines[1], testing::HasSubstr("\"data.2-0\""));
}

TEST_F(Import, InputsWithoutAnyLabelAreRefused) {
  expect_refused("a.txt", "just words\n", {"a.txt", "no label at all"});
}

TEST_F(Import, AnOutputThatIsAFileIsAnIoError) {
  input("a.txt", "__label__a x\n");
  options_.out = directory_.write("taken", "");
  expect_error(ErrorKind::kIo, {"taken"}, [&] { import_all_as_train(); });
}

TEST_F(Import, InputsAreNotReplaced) {
  options_.out = directory_.path();
  options_.inputs = {directory_.write("train.jsonl", "__label__a x\n")};
  options_.split = {{100, 0, 0}};
  expect_error(ErrorKind::kUsage, {"--out", "train.jsonl", "would be replaced"},
               [&] { import_data(options_); });
  EXPECT_EQ(read_file(options_.inputs[0]), "__label__a x\n");
}

TEST_F(Import, AnOptionOfAnotherFormatIsAUsageError) {
  input("a.txt", "__label__a x\n");
  options_.taxonomy = "t";
  expect_error(ErrorKind::kUsage, {"--taxonomy", "fasttext"}, [&] { import_all_as_train(); });
}

TEST_F(Import, CallsThatCannotWorkAreUsageErrors) {
  const auto refused = [&](const std::vector<std::string>& parts) {
    expect_error(ErrorKind::kUsage, parts, [&] { import_data(options_); });
  };
  refused({"at least one input"});
  options_.inputs = {"-"};
  refused({"standard input", "read twice"});
  options_.inputs.clear();
  input("a.txt", "__label__a x\n");
  refused({"two inputs", "--split"});
  options_.split = {{50, 20, 20}};
  refused({"sum 100", "50/20/20"});
  options_.split = {{0, 50, 50}};
  refused({"train above 0"});
  options_.format = "word";
  refused({"clus-arff", "\"word\""});
}

TEST_F(Import, AMissingFileIsAnIoError) {
  options_.inputs = {"/nowhere/a.txt"};
  expect_error(ErrorKind::kIo, {"/nowhere/a.txt"}, [&] { import_data(options_); });
}

TEST_F(Import, TooFewDocumentsForTrainAreRefused) {
  input("a.txt", "__label__a x\n__label__a y\n");
  options_.split = {{50, 25, 25}};
  expect_error(ErrorKind::kInput, {"left for train"}, [&] { import_data(options_); });
}

TEST(ParseSplit, TakesThreePercentages) {
  EXPECT_THAT(parse_split("60/20/20"), ElementsAre(60, 20, 20));
  EXPECT_THAT(parse_split("99.5/0/0.5"), ElementsAre(99.5, 0, 0.5));
}

TEST(ParseSplit, RefusesAnythingElse) {
  for (const std::string text :
       {"", "60/40", "60/20/x", "60/20/20/0", "60/20/30", "0/50/50", "110/-10/0"}) {
    expect_error(ErrorKind::kUsage, {"--split"}, [&] { parse_split(text); });
  }
}

TEST(ImportFormats, AreTheEightOfTheDocumentation) {
  std::vector<std::string> names;
  for (const ImportFormat& format : import_formats()) {
    names.push_back(format.name);
    EXPECT_FALSE(format.description.empty());
  }
  EXPECT_THAT(names, ElementsAre("clus-arff", "lahcn-json", "bgc", "wipo-alpha", "rcv1-svm",
                                 "fasttext", "csv", "debtags"));
}

TEST_F(Import, OptionsOfOtherFormatsAreRefused) {
  input("one.txt", "__label__a x\n");
  input("two.txt", "__label__a y\n");
  ImportOptions other = options_;
  other.language = "DE";
  expect_error(ErrorKind::kUsage, {"--language", "wipo-alpha", "fasttext"},
               [&] { import_data(other); });
  other = options_;
  other.label_column = "topic";
  expect_error(ErrorKind::kUsage, {"--label-column", "csv"}, [&] { import_data(other); });
  other = options_;
  other.min_documents = 3;
  expect_error(ErrorKind::kUsage, {"--min-documents", "debtags"}, [&] { import_data(other); });
}

TEST_F(Import, AnInputWhoseNameIsNotUtf8GivesIdsThatAre) {
  input("\xff.txt", "__label__a x\n");
  input("two.txt", "__label__a y\n__label__a z\n");
  options_.split = {{100, 0, 0}};
  import_data(options_);
  EXPECT_EQ(out_lines("train.jsonl").at(0).substr(0, 15), "{\"id\":\"input-0\"");
}

TEST_F(Import, ASplitWithoutDocumentsIsAWarning) {
  input("one.txt", fasttext_lines(10, "x"));
  options_.split = {{50, 50, 0}};
  EXPECT_THAT(to_text(import_data(options_)),
              testing::HasSubstr("warning: no document for test\n"));
}

TEST_F(Import, IdsThatOccurTwiceAreCounted) {
  options_.format = "csv";
  options_.id_column = "id";
  options_.split = {{100, 0, 0}};
  input("a.csv", "id,text,labels\n7,x,a\n8,y,a\n7,z,a\n");
  EXPECT_EQ(noted(import_data(options_), ImportNote::Kind::kKept, "the id of another"), 1U);
}

}  // namespace
}  // namespace hmtc
