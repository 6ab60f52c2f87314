#include "import/importing.h"

namespace hmtc {
namespace {

std::string record(const std::string& number, const std::string& ipcs) {
  return "<record cy=\"WO\" an=\"A" + number + "\" pn=\"WO" + number + "\">\n" + ipcs +
         "\n<tis><ti xml:lang=\"EN\">Title " + number + "</ti></tis></record>\n";
}

class WipoAlpha : public Importing {
 protected:
  WipoAlpha() : Importing("wipo-alpha") {}

  /// The hierarchy of one patent with this main symbol.
  std::string hierarchy_of(const std::string& symbol) {
    options_.inputs.clear();
    input("a.xml", record("1", "<ipcs mc=\"" + symbol + "\"/>"));
    import_all_as_train();
    return out("hierarchy.tsv");
  }
};

TEST_F(WipoAlpha, ARecordGivesTextAndLabels) {
  input("a.xml",
        "<?xml version=\"1.0\"?>\n"
        "<record cy=\"WO\" an=\"US9\" pn=\"WO001\" dnum=\"1\">\n"
        "<ipcs ed=\"7\" mc=\"B65D08538\"><ipc ic=\"A61B01900\"></ipc></ipcs>\n"
        "<pas><pa>SOMEBODY</pa></pas>\n"
        "<tis><ti xml:lang=\"EN\">A box &amp; lid</ti><ti xml:lang=\"FR\">Une boite</ti></tis>\n"
        "<abs><ab xml:lang=\"EN\">It closes.</ab></abs>\n"
        "<cls><cl xml:lang=\"EN\">A box, <b>closed</b>.</cl></cls>\n"
        "<txts><txt xml:lang=\"EN\">Long ago.</txt></txts>\n"
        "</record>\n");
  EXPECT_EQ(import_all_as_train().shape, "2/2/2/2");
  EXPECT_EQ(out("train.jsonl"),
            "{\"id\":\"WO001\",\"text\":\"A box & lid\\nIt closes.\\nA box, closed .\\nLong "
            "ago.\",\"labels\":[\"B65D85\",\"A61B19\"]}\n");
  EXPECT_EQ(out("hierarchy.tsv"),
            "B\t\nA\t\nB65\tB\nA61\tA\nB65D\tB65\nA61B\tA61\nB65D85\tB65D\nA61B19\tA61B\n");
}

TEST_F(WipoAlpha, SymbolsAreReadInAllTheirSpellings) {
  const std::string expected = "A\t\nA01\tA\nA01B\tA01\nA01B1\tA01B\n";
  for (const std::string symbol :
       {"A01B00102", "A01B 1/02", "a01b1/02", "A01B0001020000", "A01B1", "A01B 001"}) {
    EXPECT_EQ(hierarchy_of(symbol), expected) << symbol;
  }
  EXPECT_EQ(hierarchy_of("A01B"), "A\t\nA01\tA\nA01B\tA01\n");
  EXPECT_EQ(hierarchy_of("A01"), "A\t\nA01\tA\n");
  EXPECT_EQ(hierarchy_of("A"), "A\t\n");
}

TEST_F(WipoAlpha, TheLanguageIsChosen) {
  options_.language = "fr";
  input("a.xml",
        "<record pn=\"1\"><ipcs mc=\"A01B00100\"/><ti xml:lang=\"EN\">box</ti><ti "
        "xml:lang=\"FR\">boite</ti></record>\n"
        "<record pn=\"2\"><ipcs mc=\"A01B00100\"/><ti xml:lang=\"EN\">box</ti></record>\n");
  const ImportReport report = import_all_as_train();
  EXPECT_THAT(out("train.jsonl"), testing::HasSubstr("\"text\":\"boite\""));
  EXPECT_EQ(report.train_documents, 1U);
  EXPECT_EQ(noted(report, ImportNote::Kind::kSkipped, "language fr"), 1U);
}

TEST_F(WipoAlpha, UnreadableSymbolsAreSkippedAndReported) {
  input("a.xml", record("1", "<ipcs mc=\"A01B00102\"><ipc ic=\"Z99\"/><ipc ic=\"A1\"/></ipcs>") +
                     record("2", "<ipcs mc=\"A01B000\"/>") + record("3", ""));
  const ImportReport report = import_all_as_train();
  EXPECT_EQ(report.train_documents, 1U);
  EXPECT_EQ(noted(report, ImportNote::Kind::kSkipped, "cannot be read"), 3U);
  EXPECT_EQ(noted(report, ImportNote::Kind::kSkipped, "without a valid IPC symbol"), 2U);
}

TEST_F(WipoAlpha, ADirectoryIsReadInTheOrderOfItsPaths) {
  directory_.write("patents/b/2.XML", record("2", "<ipcs mc=\"B65D08538\"/>"));
  directory_.write("patents/a/1.xml", record("1", "<ipcs mc=\"A01B00102\"/>"));
  directory_.write("patents/readme.txt", "<record>");
  options_.inputs = {(directory_.path() / "patents").string()};
  import_all_as_train();
  const auto lines = out_lines("train.jsonl");
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_THAT(lines[0], testing::HasSubstr("WO1"));
  EXPECT_THAT(lines[1], testing::HasSubstr("WO2"));
}

TEST_F(WipoAlpha, BrokenRecordsAreRefused) {
  expect_refused("a.xml", "<record pn=\"1\">\n<tis>\n</record>\n", {"a.xml:", "well-formed XML"});
  expect_refused("a.xml", "<record pn=\"1\">\n", {"a.xml:1", "</record>"});
  expect_refused("a.xml", "<patent/>\n", {"a.xml", "at least one document"});
  expect_refused("a.xml", record("\xFF", "<ipcs mc=\"A01B00102\"/>"), {"a.xml:1", "UTF-8"});
}

}  // namespace
}  // namespace hmtc
