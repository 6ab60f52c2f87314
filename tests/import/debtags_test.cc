#include "import/importing.h"

namespace hmtc {
namespace {

const std::string kPackages =
    "Package: frotz-data\n"
    "Source: frotz (2.0)\n"
    "Description: data of frotz\n"
    "Description-md5: m2\n"
    "Tag: role::app-data, game::adventure, use::gameplaying, works-with::text\n"
    "\n"
    "Package: frotz\n"
    "Description: plays text adventures\n"
    "Description-md5: m1\n"
    "Tag: game::adventure, interface::{graphical,text-mode},\n"
    " special::not-yet-tagged\n"
    "\n"
    "Package: untagged\n"
    "Description: nothing known\n"
    "\n"
    "Package: libz1\n"
    "Source: zlib\n"
    "Description: compression\n"
    "Description-md5: m3\n"
    "Tag: role::shared-lib\n"
    "\n"
    "Package: libz-dev\n"
    "Source: zlib\n"
    "Description: compression, for developers\n"
    " Described here.\n"
    "Tag: role::devel-lib, devel::lang:c\n";

const std::string kTranslation =
    "Package: frotz\n"
    "Description-md5: m1\n"
    "Description-en: plays text adventures\n"
    " Old games of text,\n"
    " still good:\n"
    " .\n"
    "  * Zork\n"
    "\n"
    "Package: libz1\n"
    "Description-md5: m3\n"
    "Description-en: compression\n"
    " Squeezes bytes.\n";

class Debtags : public Importing {
 protected:
  Debtags() : Importing("debtags") { options_.min_documents = 1; }
};

TEST_F(Debtags, OnePackageStandsForItsSource) {
  input("x_Packages", kPackages);
  input("x_Translation-en", kTranslation);
  const ImportReport report = import_all_as_train();
  // frotz bears the name of its source although frotz-data has more tags; libz-dev has the most.
  EXPECT_EQ(out("train.jsonl"),
            "{\"id\":\"frotz\",\"text\":\"plays text adventures\\nOld games of text,\\nstill "
            "good:\\n\\n * Zork\",\"labels\":[\"game/adventure\",\"interface/graphical\","
            "\"interface/text-mode\"]}\n"
            "{\"id\":\"zlib\",\"text\":\"compression, for developers\\nDescribed here.\","
            "\"labels\":[\"role/devel-lib\",\"devel/lang/c\"]}\n");
  EXPECT_EQ(report.shape, "4/5/1");
  EXPECT_EQ(noted(report, ImportNote::Kind::kSkipped, "packages without tags"), 1U);
  EXPECT_EQ(noted(report, ImportNote::Kind::kSkipped, "another package stands for"), 2U);
  EXPECT_EQ(noted(report, ImportNote::Kind::kSkipped, "special"), 1U);
}

TEST_F(Debtags, ADirectoryIsSearchedForLists) {
  directory_.write("lists/host_main_Packages", kPackages);
  directory_.write("lists/host_main_i18n_Translation-en", kTranslation);
  directory_.write("lists/host_InRelease", "not a list");
  options_.inputs = {(directory_.path() / "lists").string()};
  EXPECT_EQ(import_all_as_train().train_documents, 2U);
}

TEST_F(Debtags, WithoutASplitTheDocumentsAreDividedSixtyTwentyTwenty) {
  std::string packages;
  for (int i = 0; i < 10; ++i) {
    const std::string name = "p" + std::to_string(i);
    packages += "Package: " + name + "\nDescription: does " + name + "\nTag: use::x\n\n";
  }
  input("x_Packages", packages);
  const ImportReport report = import_data(options_);
  EXPECT_EQ(report.train_documents, 6U);
  EXPECT_EQ(report.val_documents, 2U);
  EXPECT_EQ(report.test_documents, 2U);
}

TEST_F(Debtags, ARareLabelGivesWayToTheOneAbove) {
  options_.min_documents = 2;
  input("x_Packages",
        "Package: a\nDescription: one\nTag: devel::lang:c\n\n"
        "Package: b\nDescription: two\nTag: devel::lang:ada\n\n"
        "Package: c\nDescription: three\nTag: use::rare\n");
  const ImportReport report = import_all_as_train();
  EXPECT_EQ(out("train.jsonl"),
            "{\"id\":\"a\",\"text\":\"one\",\"labels\":[\"devel/lang\"]}\n"
            "{\"id\":\"b\",\"text\":\"two\",\"labels\":[\"devel/lang\"]}\n");
  // devel/lang/c, devel/lang/ada, use, use/rare
  EXPECT_EQ(noted(report, ImportNote::Kind::kSkipped, "fewer than 2"), 4U);
  EXPECT_EQ(noted(report, ImportNote::Kind::kSkipped, "rare labels only"), 1U);
}

TEST_F(Debtags, ATextIsTakenOnce) {
  input(
      "x_Packages",
      "Package: a\nDescription: same\nTag: use::x\n\nPackage: b\nDescription: same\nTag: use::x\n");
  const ImportReport report = import_all_as_train();
  EXPECT_EQ(report.train_documents, 1U);
  EXPECT_EQ(noted(report, ImportNote::Kind::kSkipped, "the text of another"), 1U);
}

TEST_F(Debtags, BrokenListsAreRefused) {
  expect_refused("x_Packages", "Package: a\nno field here\n", {"x_Packages:2", "Field: value"});
  expect_refused("x_Packages", " begins with a continuation\n", {"x_Packages:1"});
  expect_refused("x_Packages", "Tag: use::x\n", {"x_Packages:1", "a field Package"});
  expect_refused("x_Packages", "Package: a\nTag: use\n", {"x_Packages:1", "facet::tag", "\"use\""});
  expect_refused("x_Packages", "Package: a\nTag: use::{a,b\n", {"x_Packages:1", "braces"});
  expect_refused("x_Packages", "Package: a\nDescription: \xFF\nTag: use::x\n",
                 {"x_Packages:1", "UTF-8"});
  expect_refused("list.txt", "Package: a\n", {"list.txt", "Packages"});
  expect_refused("x_Translation-en", kTranslation, {"x_Translation-en", "a list named …Packages"});
}

TEST_F(Debtags, ADamagedCompressedListIsRefused) {
  input("x_Packages.xz", "this is not xz");
  // Without apt's helper on the machine the error is one of I/O; both name the file.
  try {
    import_all_as_train();
    FAIL() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("x_Packages.xz"));
  }
}

}  // namespace
}  // namespace hmtc
