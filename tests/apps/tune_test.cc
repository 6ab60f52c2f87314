// A search for settings, from the command line to the model it leaves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/tiny_project.h"

namespace hmtc {
namespace {

using testing::HasSubstr;
using testing::Not;

class Tune : public testing::Test {
 protected:
  Arguments arguments(const Arguments& more = {}) {
    Arguments all = {
        "tune", "--data", project_.data(),  "--out", project_.path("out"),        "--model",
        "flat", "--set",  "train.epochs=2", "--set", "encoder.embedding_width=6", "--minutes",
        "5"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::string out(const std::string& name) const {
    return content_of(project_.path("out/" + name));
  }

  TinyProject project_;
};

TEST_F(Tune, LeavesAModelItsSettingsAndATableOfTheTrials) {
  std::filesystem::remove(project_.path("data/test.jsonl"));  // test is not read
  const ProcessResult result = hmtc_program(arguments({"--trials", "3"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("3 of 3"));
  EXPECT_THAT(out("trials.md"), HasSubstr("encoder.dropout="));
  EXPECT_THAT(out("best.conf"), HasSubstr("train.epochs = 2"));
  EXPECT_EQ(hmtc_program(
                {"evaluate", project_.path("out/model"), "--data", project_.path("data/val.jsonl")})
                .exit_code,
            0);
  const ProcessResult again =
      hmtc_program({"train", "--data", project_.data(), "--out", project_.path("again"), "--model",
                    "flat", "--config", project_.path("out/best.conf")});
  EXPECT_EQ(again.exit_code, 0) << again.err;
}

TEST_F(Tune, CalledAgainItGoesOnWithFurtherTrials) {
  ASSERT_EQ(hmtc_program(arguments({"--trials", "2"})).exit_code, 0);
  const ProcessResult result = hmtc_program(arguments({"--trials", "4"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("3 of 4"));
  EXPECT_THAT(result.err, Not(HasSubstr("2 of 4")));
}

TEST_F(Tune, TrialsOfAnotherSearchAreLeftAlone) {
  ASSERT_EQ(hmtc_program(arguments({"--trials", "1"})).exit_code, 0);
  const std::string before = out("trials.md");
  const ProcessResult result = hmtc_program(arguments({"--trials", "2", "--seed", "5"}));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("of flat with seed 0"));
  EXPECT_EQ(out("trials.md"), before);
}

TEST_F(Tune, AMistypedSettingShowsBeforeTheFirstTrial) {
  const ProcessResult result = hmtc_program(arguments({"--set", "encoder.dropuot=0.1"}));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("did you mean encoder.dropout"));
}

}  // namespace
}  // namespace hmtc
