#include "base/error.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace hmtc {
namespace {

TEST(InputError, TheMessageGivesPlaceExpectationFindingAndRemedy) {
  const Error error = input_error({"train.jsonl", 7}, {"a label", "nothing", "add one"});
  EXPECT_EQ(error.kind(), ErrorKind::kInput);
  EXPECT_STREQ(error.what(), "train.jsonl:7: expected a label, found nothing; add one");
}

TEST(InputError, WithoutALineTheFileIsMeant) {
  EXPECT_STREQ(input_error({"f"}, {"a", "b", "c"}).what(), "f: expected a, found b; c");
}

TEST(ModelError, DiffersFromAnInputErrorByItsKind) {
  const Error error = model_error({"manifest.json"}, {"a", "b", "c"});
  EXPECT_EQ(error.kind(), ErrorKind::kModel);
  EXPECT_STREQ(error.what(), "manifest.json: expected a, found b; c");
}

TEST(IoError, TheReasonIsTakenFromErrno) {
  errno = ENOENT;
  const Error error = io_error("open", "some.file");
  EXPECT_EQ(error.kind(), ErrorKind::kIo);
  EXPECT_STREQ(error.what(), "cannot open some.file: No such file or directory");
}

TEST(Quoted, ControlCharactersAreEscaped) {
  EXPECT_EQ(in_quotes(""), "\"\"");
  EXPECT_EQ(in_quotes("a\tb\x7F"), "\"a\\x09b\\x7f\"");
}

TEST(Quoted, LongTextsAreCutBetweenCharacters) {
  EXPECT_EQ(in_quotes(std::string(60, 'a')), "\"" + std::string(60, 'a') + "\"");
  EXPECT_EQ(in_quotes(std::string(61, 'a')), "\"" + std::string(60, 'a') + "\u2026\"");
  // The two bytes of the last letter lie at 59 and 60: it stays whole.
  EXPECT_EQ(in_quotes(std::string(59, 'a') + "\u00FCz"),
            "\"" + std::string(59, 'a') + "\u00FC\u2026\"");
}

}  // namespace
}  // namespace hmtc
