#include "import/importing.h"

namespace hmtc {
namespace {

std::string book(const std::string& isbn, const std::string& topics) {
  return "<book date=\"2019-01-04\" xml:lang=\"de\">\n<title>T" + isbn +
         "</title>\n<body>B</body>\n" + "<categories>\n" + topics + "</categories>\n<isbn>" + isbn +
         "</isbn>\n</book>\n";
}

std::string category(const std::vector<std::string>& names) {
  std::string text = "<category>\n";
  for (std::size_t depth = 0; depth < names.size(); ++depth) {
    text += "<topic d=\"" + std::to_string(depth) + "\"" +
            (depth + 1 == names.size() ? " label=\"True\"" : "") + ">" + names[depth] +
            "</topic>\n";
  }
  return text + "</category>\n";
}

class Bgc : public Importing {
 protected:
  Bgc() : Importing("bgc") {}
};

TEST_F(Bgc, TitleBodyAndTopicsMakeADocument) {
  input(
      "a.txt",
      "<root>\n<book date=\"2019-01-04\" xml:lang=\"de\">\n"
      "<title>Krimi & Mehr</title>\n"
      "<body>Erste Zeile &lt;1&gt;\nzweite &amp; letzte &#39;&#xE4;&#39; &unknown; R&D; &</body>\n"
      "<categories>\n" +
          category({"Literatur & Unterhaltung", "Krimi"}) +
          "</categories>\n<isbn>978</isbn>\n</book>\n</root>\n");
  EXPECT_EQ(import_all_as_train().shape, "1/1");
  EXPECT_EQ(out("train.jsonl"),
            "{\"id\":\"978\",\"text\":\"Krimi & Mehr\\nErste Zeile <1>\\nzweite & letzte 'ä' "
            "&unknown; R&D; &\",\"labels\":[\"Literatur & Unterhaltung\",\"Krimi\"]}\n");
  EXPECT_EQ(out("hierarchy.tsv"), "Literatur & Unterhaltung\t\nKrimi\tLiteratur & Unterhaltung\n");
}

TEST_F(Bgc, ATopicUnderTwoParentsHasTwoLines) {
  input("a.txt", book("1", category({"A", "X"}) + category({"B", "X"})));
  EXPECT_EQ(import_all_as_train().shape, "2/1");
  EXPECT_EQ(out("hierarchy.tsv"), "A\t\nB\t\nX\tA\nX\tB\n");
  EXPECT_THAT(out("train.jsonl"), testing::HasSubstr("[\"A\",\"X\",\"B\"]"));
}

TEST_F(Bgc, ATaxonomyGivesTheWholeTree) {
  options_.taxonomy = directory_.write("hierarchy.txt", "A\tX\nA\tY\nLonely\n");
  input("a.txt", book("1", category({"A", "X"})));
  import_all_as_train();
  EXPECT_EQ(out("hierarchy.tsv"), "A\t\nLonely\t\nX\tA\nY\tA\n");
}

TEST_F(Bgc, ATopicThatTheTaxonomyLacksIsRefused) {
  options_.taxonomy = directory_.write("hierarchy.txt", "A\tX\n");
  expect_refused("a.txt", book("1", category({"A", "Z"})), {"a.txt:1", "\"Z\""});
}

TEST_F(Bgc, ATopicNamedLikeItsParentIsTheParent) {
  input("a.txt", book("1", category({"A", "A", "X"})));
  const ImportReport report = import_all_as_train();
  EXPECT_EQ(out("hierarchy.tsv"), "A\t\nX\tA\n");
  EXPECT_EQ(noted(report, ImportNote::Kind::kRepaired, "named like one above"), 1U);
}

TEST_F(Bgc, ATaxonomyLineWithALabelUnderItselfIsIgnored) {
  options_.taxonomy = directory_.write("hierarchy.txt", "A\tA\nA\tX\n");
  input("a.txt", book("1", category({"A", "X"})));
  const ImportReport report = import_all_as_train();
  EXPECT_EQ(out("hierarchy.tsv"), "A\t\nX\tA\n");
  EXPECT_EQ(noted(report, ImportNote::Kind::kRepaired, "under itself"), 1U);
}

TEST_F(Bgc, TheOlderSpellingOfTopicsIsReadToo) {
  input("a.txt",
        "<book><title>t</title><body>b</body><metadata><topics><d0>Fiction</d0><d1>Crime</d1>"
        "<d1>Spy</d1></topics></metadata></book><book><title>u</title><body>c</body><metadata>"
        "<topics><d0>Poetry</d0></topics></metadata></book>\n");
  EXPECT_EQ(import_all_as_train().train_documents, 2U);
  EXPECT_EQ(out("hierarchy.tsv"), "Fiction\t\nPoetry\t\nCrime\tFiction\nSpy\tFiction\n");
}

TEST_F(Bgc, BrokenBooksAreRefused) {
  expect_refused("a.txt", "<root>\n<book>\n<title>x</title>\n",
                 {"a.txt:2", "</book>", "end of the file"});
  expect_refused("a.txt", "<book>\n<title>x</title>\n<book>\n</book>\n",
                 {"a.txt:1", "the next <book>"});
  expect_refused("a.txt", "<book>\n<title>x\n</book>\n", {"a.txt:1", "</title>"});
  expect_refused("a.txt", "<book>\n</book>\n", {"a.txt:1", "<title>"});
  expect_refused("a.txt", book("1", "<topic d=\"1\">X</topic>\n"), {"a.txt:1", "depth 0 before"});
  expect_refused("a.txt", book("1", "<topic>X</topic>\n"), {"a.txt:1", "depth"});
  expect_refused("a.txt", book("1", "<topic d=\"0\">X\n"), {"a.txt:1", "</topic>"});
  expect_refused("a.txt", book("1", "<topic d=\"0\"></topic>\n"), {"a.txt:1", "a label"});
  expect_refused("a.txt", book("\xFF", category({"A"})), {"a.txt:1", "UTF-8"});
  expect_refused("a.txt", book("1", "<topic d=\"0"), {"a.txt:1"});
}

}  // namespace
}  // namespace hmtc
