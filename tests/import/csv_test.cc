#include "import/importing.h"

namespace hmtc {
namespace {

class Csv : public Importing {
 protected:
  Csv() : Importing("csv") {}
};

TEST_F(Csv, QuotedFieldsMayHoldDelimitersQuotesAndLineBreaks) {
  input("a.csv",
        "\xEF\xBB\xBFtext,labels\r\n"
        "\"one, \"\"two\"\"\r\nthree\",\"a/b;c\"\r\n"
        "\r\n"
        "plain, a \r\n");
  EXPECT_EQ(import_all_as_train().shape, "2/1");
  EXPECT_EQ(out("train.jsonl"),
            "{\"id\":\"a-0\",\"text\":\"one, \\\"two\\\"\\nthree\",\"labels\":[\"a/b\",\"c\"]}\n"
            "{\"id\":\"a-1\",\"text\":\"plain\",\"labels\":[\"a\"]}\n");
}

TEST_F(Csv, ColumnsAndSeparatorsCanBeChosen) {
  options_.text_columns = "title, body";
  options_.label_column = "category";
  options_.id_column = "key";
  options_.delimiter = "tab";
  options_.label_separator = "||";
  options_.path_separator = ">";
  input("a.tsv", "key\tbody\ttitle\tcategory\n17\ta long text\tShort\tAudio > Radio || Books\n");
  import_all_as_train();
  EXPECT_EQ(
      out("train.jsonl"),
      "{\"id\":\"17\",\"text\":\"Short a long text\",\"labels\":[\"Audio/Radio\",\"Books\"]}\n");
  EXPECT_EQ(out("hierarchy.tsv"), "Audio\t\nBooks\t\nAudio/Radio\tAudio\n");
}

TEST_F(Csv, AnEmptyLabelCellIsADocumentWithoutLabel) {
  input("a.csv", "text,labels\nx,\ny,a;\n");
  const ImportReport report = import_all_as_train();
  EXPECT_EQ(noted(report, ImportNote::Kind::kKept, "without a label"), 1U);
  EXPECT_THAT(out_lines("train.jsonl")[1], testing::HasSubstr("[\"a\"]"));
}

TEST_F(Csv, BrokenFilesAreRefused) {
  expect_refused("a.csv", "", {"a.csv", "a header"});
  expect_refused("a.csv", "text,label\nx,a\n", {"a.csv:1", "\"labels\"", "text, label"});
  expect_refused("a.csv", "text,labels\nx\n", {"a.csv:2", "2 columns", "found 1"});
  expect_refused("a.csv", "text,labels\n\"x\ny,a\n", {"a.csv:2", "closing quote"});
  expect_refused("a.csv", "text,labels\n\"x\"y,a\n", {"a.csv:2", "after a closing quote"});
  expect_refused("a.csv", "text,labels\nx,a//b\n", {"a.csv:2", "empty step"});
  expect_refused("a.csv", "text,labels\nx,\"a\tb\"\n", {"a.csv:2", "control characters"});
  expect_refused("a.csv", "text,labels\n\xFF,a\n", {"a.csv:2", "UTF-8"});
}

TEST_F(Csv, AStepWithASlashIsRefusedWhereAnotherSeparatorJoinsThem) {
  options_.path_separator = " > ";
  expect_refused("a.csv", "text,labels\nx,TV > Video\ny,TV/Video\n", {"a.csv:3", "TV/Video"});
}

TEST_F(Csv, BadOptionsAreUsageErrors) {
  input("a.csv", "text,labels\nx,a\n");
  const auto refused = [&](const std::string& part) {
    expect_error(ErrorKind::kUsage, {part}, [&] { import_all_as_train(); });
  };
  options_.path_separator = "";
  refused("--path-separator");
  options_.label_separator = "";
  refused("--label-separator");
  options_.delimiter = "ab";
  refused("--delimiter");
  options_.delimiter = ",";
  options_.label_separator = ";";
  options_.path_separator = "/";
  options_.text_columns = "text,,";
  refused("--text-columns");
}

}  // namespace
}  // namespace hmtc
