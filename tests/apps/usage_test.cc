// What the program says about itself, and to calls that are not right.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "apps/tiny_project.h"

namespace hmtc {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

void expect_usage_error(const Arguments& arguments, const std::vector<std::string>& parts) {
  const ProcessResult result = hmtc_program(arguments);
  SCOPED_TRACE(testing::PrintToString(arguments));
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_THAT(result.out, IsEmpty());
  for (const std::string& part : parts) EXPECT_THAT(result.err, HasSubstr(part));
}

TEST(Usage, HelpNamesEveryVerbAndExitCode) {
  const ProcessResult result = hmtc_program({"--help"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, IsEmpty());
  for (const char* part : {"import", "inspect", "train", "evaluate", "predict", "serve", "config",
                           "5 corrupt model"}) {
    EXPECT_THAT(result.out, HasSubstr(part));
  }
}

TEST(Usage, VerbsHaveHelpOfTheirOwn) {
  for (const char* verb : {"import", "train"}) {
    const ProcessResult result = hmtc_program({verb, "--help"});
    EXPECT_EQ(result.exit_code, 0) << verb;
    EXPECT_THAT(result.out, HasSubstr(verb));
  }
}

TEST(Usage, VersionIsOneLine) {
  const ProcessResult result = hmtc_program({"--version"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST(Usage, WithoutAVerbOrWithAnUnknownOneItSaysWhereHelpIs) {
  expect_usage_error({}, {"--help"});
  expect_usage_error({"fly"}, {"--help"});
}

TEST(Usage, UnknownFlagsAndMissingArgumentsAreNamed) {
  expect_usage_error({"config", "--wings"}, {"--wings"});
  expect_usage_error({"train"}, {"--data"});
  expect_usage_error({"train", "--dta", "x", "--out", "y"}, {"unknown argument --dta"});
  expect_usage_error({"predict", "m", "--top", "0"}, {"--top: expected a whole number from 1"});
  expect_usage_error({"predict", "m", "--on-error", "cry"}, {"--on-error"});
}

TEST(Usage, AnEmptyValueIsRefused) {
  expect_usage_error({"train", "--data", "x", "--out", "y", "--teacher", ""},
                     {"--teacher", "found an empty one"});
  expect_usage_error({"tune", "--data", "", "--out", "y"}, {"--data", "found an empty one"});
  expect_usage_error({"predict", ""}, {"found an empty one"});
  expect_usage_error({"import", "rcv1-svm", "x", "--out", "y", "--taxonomy", ""},
                     {"--taxonomy", "found an empty one"});
}

TEST(Usage, UnknownFormatsAndBadSplitsAreNamed) {
  const TemporaryDirectory directory;
  const std::string input = directory.write("in.txt", "__label__a tea\n");
  const std::string out = (directory.path() / "data").string();
  expect_usage_error({"import", "papyrus", input, "--out", out}, {"papyrus", "fasttext"});
  for (const char* split : {"60/40", "60/20/30"}) {
    expect_usage_error({"import", "fasttext", input, "--out", out, "--split", split}, {split});
  }
  expect_usage_error({"import", "fasttext", input, "--out", out, "--seed", "-1"}, {"--seed"});
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(Usage, AnInputAfterALabelToDropIsAnInput) {
  const TemporaryDirectory directory;
  const std::string first = directory.write("a.svm", "x 1:1\n");
  const std::string second = directory.write("b.svm", "y 2:1\nz 3:1\n");
  const std::filesystem::path out = directory.path() / "data";
  const ProcessResult result = hmtc_program({"import", "rcv1-svm", first, "--drop-label", "z",
                                             second, "--split", "100/0/0", "--out", out.string()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(content_of(out / "hierarchy.tsv"), "x\t\ny\t\n");
}

TEST(Usage, UnknownModelNamesAndKeysAreNamedWithWhatThereIs) {
  const TinyProject project;
  const std::string out = project.path("out");
  expect_usage_error(project.train_arguments(out, {"--model", "oracle"}),
                     {"oracle", "la-hcn", "linear"});
  expect_usage_error(project.train_arguments(out, {"--set", "train.epoch=3"}),
                     {"train.epoch", "did you mean train.epochs"});
  expect_usage_error(project.train_arguments(out, {"--set", "train.epochs=0"}), {"train.epochs"});
  expect_usage_error(project.train_arguments(out, {"--set", "model.name=linear"}),
                     {"--model linear"});
}

TEST(Usage, AConfigurationFileIsReadAndItsMistakesHaveALine) {
  const TinyProject project;
  const std::string config = project.directory().write("c.conf", "# small\ntrain.epochs = x\n");
  expect_usage_error(project.train_arguments(project.path("out"), {"--config", config}),
                     {config + ":2", "train.epochs"});
}

TEST(Usage, ConfigListsEveryKeyWithItsMeaning) {
  const ProcessResult text = hmtc_program({"config"});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_THAT(text.err, IsEmpty());
  EXPECT_THAT(text.out, HasSubstr("train.epochs = 100"));

  const ProcessResult json = hmtc_program({"config", "--json"});
  EXPECT_EQ(json.exit_code, 0);
  const auto keys = nlohmann::json::parse(json.out);
  ASSERT_TRUE(keys.is_array());
  for (const auto& key : keys) {
    for (const char* member : {"key", "default", "range", "meaning"}) {
      EXPECT_TRUE(key.contains(member)) << key.dump();
    }
    EXPECT_THAT(text.out, HasSubstr(key["key"].get<std::string>() + " = "));
  }
}

}  // namespace
}  // namespace hmtc
