#include "import/importing.h"

namespace hmtc {
namespace {

class FastText : public Importing {
 protected:
  FastText() : Importing("fasttext") {}
};

TEST_F(FastText, LabelsArePathsAndTheRestIsText) {
  input("a.txt", "__label__a/b __label__c  some\ttext here\r\n\nwords first __label__a\n");
  const ImportReport report = import_all_as_train();
  EXPECT_EQ(out("train.jsonl"),
            "{\"id\":\"a-0\",\"text\":\"some text here\",\"labels\":[\"a/b\",\"c\"]}\n"
            "{\"id\":\"a-1\",\"text\":\"words first\",\"labels\":[\"a\"]}\n");
  EXPECT_EQ(out("hierarchy.tsv"), "a\t\nc\t\na/b\ta\n");
  EXPECT_EQ(noted(report, ImportNote::Kind::kSkipped, "blank lines"), 1U);
}

TEST_F(FastText, EmptyStepsAreRefused) {
  for (const std::string label : {"", "/a", "a/", "a//b"}) {
    expect_refused("a.txt", "__label__x y\n__label__" + label + " z\n", {"a.txt:2", "empty step"});
  }
}

}  // namespace
}  // namespace hmtc
