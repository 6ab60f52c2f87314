#include "report/run_result.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/strings.h"
#include "support/expect_error.h"

namespace hmtc {
namespace {

RunResult small_result() {
  RunResult result;
  result.experiment = "Enron";
  result.row = "LA-HCN";
  result.model = "la-hcn";
  result.seed = 3;
  result.settings = {"train.epochs=2", "text.stop_words=a,b"};
  result.all_settings = {"train.epochs=2", "train.patience=5"};
  result.command = "hmtc train --data \"my data\"";
  result.data = "Enron, the paper's split";
  result.recipe = "import clus-arff, threads: 1";
  result.data_digest = "abc";
  result.validation.combined.micro = 0.75;
  result.test.combined = {0.5, 0.25, 0.125, 0.625, {1, kUndefined}, 2};
  result.test.local_micro = 0.375;
  result.test.calibration_error = 0.0625;
  result.test.equal_mass_error = 0.125;
  result.test.tuned_macro_f1 = 0.875;
  result.test.violations = 0;
  result.test.raw_micro = 0.375;
  result.test.raw_violations = 7;
  result.test_documents = 10;
  result.precision_recall = {{0.5, 1}, {1, 0.25}};
  result.reliability = {{3, 0.5, 0.25}, {}};
  result.learning_curve = {{0.5, 2.5, 0.25}, {1, 1.5, kUndefined}};
  result.best_epoch = 0.5;
  result.train_seconds = 1.25;
  result.parameters = 42;
  result.threads = 2;
  return result;
}

const std::string kSmallText = R"({
  "format": "hmtc-run-result",
  "format_version": 1,
  "experiment": "Enron",
  "row": "LA-HCN",
  "model": "la-hcn",
  "seed": 3,
  "settings": ["train.epochs=2","text.stop_words=a,b"],
  "all_settings": ["train.epochs=2","train.patience=5"],
  "command": "hmtc train --data \"my data\"",
  "data": "Enron, the paper's split",
  "recipe": "import clus-arff, threads: 1",
  "data_digest": "abc",
  "vectors_digest": "",
  "validation": {"micro":0.75,"macro":null,"weighted":null,"clus":null,"per_level":[],"labels_with_positives":0,"local_micro":null,"global_micro":null,"ece":null,"ece_equal_mass":null,"brier":null,"tuned_micro_f1":null,"tuned_macro_f1":null,"violations":null,"raw_micro":null,"raw_violations":null},
  "test": {"micro":0.5,"macro":0.25,"weighted":0.125,"clus":0.625,"per_level":[1.0,null],"labels_with_positives":2,"local_micro":0.375,"global_micro":null,"ece":0.0625,"ece_equal_mass":0.125,"brier":null,"tuned_micro_f1":null,"tuned_macro_f1":0.875,"violations":0.0,"raw_micro":0.375,"raw_violations":7.0},
  "test_documents": 10,
  "precision_recall": [[0.5,1.0],[1.0,0.25]],
  "reliability": [[3,0.5,0.25],[0,null,null]],
  "learning_curve": [{"epoch":0.5,"loss":2.5,"score":0.25},{"epoch":1.0,"loss":1.5,"score":null}],
  "best_epoch": 0.5,
  "train_seconds": 1.25,
  "documents_per_second": null,
  "parameters": 42,
  "peak_mb": null,
  "threads": 2
}
)";

/// The small text with one piece of it replaced.
std::string with(const std::string& piece, const std::string& replacement) {
  const std::size_t begin = kSmallText.find(piece);
  EXPECT_NE(begin, std::string::npos) << piece;
  return std::string(kSmallText).replace(begin, piece.size(), replacement);
}

void expect_complaint(const std::string& text, std::vector<std::string> parts) {
  parts.emplace_back("results/a.json: expected");
  parts.emplace_back("found");
  parts.emplace_back("; ");
  expect_error(ErrorKind::kInput, parts, [&] { parse_run_result(text, "results/a.json"); });
}

TEST(RunResult, IsWrittenWithAMemberOnEachLineAndUndefinedAsNull) {
  EXPECT_EQ(to_json(small_result()), kSmallText);
}

TEST(RunResult, IsReadAsItWasWritten) {
  const RunResult result = parse_run_result(kSmallText, "a.json");
  EXPECT_EQ(to_json(result), kSmallText);
  EXPECT_EQ(result.seed, 3);
  EXPECT_THAT(result.settings, testing::ElementsAre("train.epochs=2", "text.stop_words=a,b"));
  EXPECT_EQ(result.test.combined.weighted, 0.125);
  EXPECT_EQ(result.test.combined.num_labels_with_positives, 2U);
  EXPECT_EQ(result.test.local_micro, 0.375);
  EXPECT_EQ(result.test.calibration_error, 0.0625);
  EXPECT_TRUE(std::isnan(result.test.brier));
  EXPECT_EQ(result.test.tuned_macro_f1, 0.875);
  EXPECT_EQ(result.test.violations, 0);
  EXPECT_EQ(result.test.raw_micro, 0.375);
  EXPECT_EQ(result.test.raw_violations, 7);
  ASSERT_EQ(result.reliability.size(), 2U);
  EXPECT_EQ(result.reliability[0].count, 3U);
  EXPECT_EQ(result.reliability[0].positive_share, 0.25);
  EXPECT_EQ(result.learning_curve[0].loss, 2.5);
  EXPECT_TRUE(std::isnan(result.learning_curve[1].score));
  EXPECT_TRUE(std::isnan(result.peak_mb));
}

TEST(RunResult, WithNothingInItIsWrittenAndRead) {
  const RunResult result = parse_run_result(to_json(RunResult()), "a.json");
  EXPECT_TRUE(std::isnan(result.test.combined.micro));
  EXPECT_TRUE(result.learning_curve.empty());
}

TEST(RunResult, KeepsEveryDigitAndDropsWhatIsNotFinite) {
  RunResult result;
  result.test.combined.micro = 0.1 + 0.2;
  result.train_seconds = INFINITY;
  const RunResult read = parse_run_result(to_json(result), "a.json");
  EXPECT_EQ(read.test.combined.micro, 0.1 + 0.2);
  EXPECT_TRUE(std::isnan(read.train_seconds));
}

TEST(RunResult, WritesACommandThatIsNotUtf8) {
  RunResult result;
  result.command = "hmtc train --data d\xE9j\xE0";
  EXPECT_TRUE(is_utf8(to_json(result)));
  EXPECT_THAT(parse_run_result(to_json(result), "a.json").command, testing::HasSubstr("--data d"));
}

TEST(RunResult, PassesOverMembersThatItDoesNotKnow) {
  EXPECT_EQ(parse_run_result(with("\"seed\": 3", "\"seed\": 3, \"host\": {}"), "a.json").seed, 3);
}

TEST(RunResult, OfAVersionThatMeasuredLessIsRead) {
  std::string text = with("  \"reliability\": [[3,0.5,0.25],[0,null,null]],\n", "");
  const std::string members =
      ",\"ece\":0.0625,\"ece_equal_mass\":0.125,\"brier\":null,\"tuned_micro_f1\":null,"
      "\"tuned_macro_f1\":0.875,\"violations\":0.0,\"raw_micro\":0.375,\"raw_violations\":7.0";
  text.erase(text.find(members), members.size());
  const RunResult result = parse_run_result(text, "a.json");
  EXPECT_EQ(result.test.combined.micro, 0.5);
  EXPECT_TRUE(std::isnan(result.test.calibration_error));
  EXPECT_TRUE(std::isnan(result.test.violations));
  EXPECT_TRUE(result.reliability.empty());
}

TEST(RunResult, ThatIsSomethingElseIsRefused) {
  expect_complaint("", {"the result of a run", "no JSON", "move the file"});
  expect_complaint(kSmallText.substr(0, 400), {"no JSON"});
  expect_complaint("[1, 2]", {"other JSON"});
  expect_complaint("{\"format\": 7}", {"other JSON"});
  expect_complaint("{\"experiment\": \"Enron\"}", {"other JSON"});
}

TEST(RunResult, OfAnotherVersionIsRefused) {
  expect_complaint(with("\"format_version\": 1", "\"format_version\": 2"),
                   {"format version 1", "version 2"});
  expect_complaint(with("\"format_version\": 1,", ""), {"version null"});
}

TEST(RunResult, WithAMissingOrMistypedMemberIsRefusedByItsName) {
  expect_complaint(with("\"seed\": 3,", ""), {"a value as \"seed\"", "nothing", "repeats the run"});
  expect_complaint(with("\"seed\": 3", "\"seed\": -1"), {"a count as \"seed\"", "-1"});
  expect_complaint(with("\"seed\": 3", "\"seed\": 0.5"), {"a count as \"seed\"", "0.5"});
  expect_complaint(with("\"LA-HCN\"", "[]"), {"a text as \"row\"", "[]"});
  expect_complaint(with("\"micro\":0.5", "\"micro\":\"high\""),
                   {"a number or null as \"test.micro\"", "high"});
  expect_complaint(with("[1.0,null]", "{}"), {"a list as \"test.per_level\""});
  expect_complaint(with("[0.5,1.0]", "[0.5]"),
                   {"recall and precision as \"precision_recall[0]\"", "[0.5]"});
  expect_complaint(with("\"ece\":0.0625", "\"ece\":\"low\""),
                   {"a number or null as \"test.ece\"", "low"});
  expect_complaint(with("[3,0.5,0.25]", "[3,0.5]"),
                   {"count, mean score and share of positives as \"reliability[0]\"", "[3,0.5]"});
  expect_complaint(with("[3,0.5,0.25]", "[-3,0.5,0.25]"), {"a count as \"reliability[0][0]\""});
  expect_complaint(with("\"score\":null", "\"score\":true"),
                   {"a number or null as \"learning_curve[1].score\"", "true"});
  expect_complaint(with("{\"epoch\":0.5,\"loss\":2.5,\"score\":0.25}", "4"),
                   {"an object as \"learning_curve[0]\""});
}

/// A curve whose i-th point has true_positives[i], and as many false positives.
PrecisionRecallCurve curve_with(const std::vector<std::size_t>& true_positives) {
  PrecisionRecallCurve curve;
  for (const std::size_t count : true_positives) curve.points.push_back({0, count, count, 0});
  return curve;
}

std::vector<double> sampled_recalls(const std::vector<std::size_t>& true_positives,
                                    std::size_t most) {
  std::vector<double> recalls;
  for (const RecallPrecision& sample : curve_samples(curve_with(true_positives), most)) {
    EXPECT_EQ(sample.precision, 0.5);
    recalls.push_back(sample.recall);
  }
  return recalls;
}

TEST(CurveSamples, OfAnEmptyCurveAreNone) { EXPECT_TRUE(curve_samples({}).empty()); }

TEST(CurveSamples, OfAShortCurveAreAllItsPoints) {
  EXPECT_THAT(sampled_recalls({1, 2, 4}, 3), testing::ElementsAre(0.25, 0.5, 1));
  EXPECT_THAT(sampled_recalls({4}, 2), testing::ElementsAre(1));
}

TEST(CurveSamples, KeepTheEndsAndAreEvenInRecallNotInPoints) {
  // Steps of (16 - 1) / 3 = 5 from 1: 1, 6, 11, 16; of the first four points only one is kept.
  EXPECT_THAT(sampled_recalls({1, 2, 3, 4, 8, 12, 16}, 4),
              testing::ElementsAre(1.0 / 16, 8.0 / 16, 12.0 / 16, 1));
}

TEST(CurveSamples, APointExactlyAtAStepIsTaken) {
  // Steps of (7 - 1) / 3 = 2 from 1: 1, 3, 5, 7.
  EXPECT_THAT(sampled_recalls({1, 2, 3, 4, 5, 6, 7}, 4),
              testing::ElementsAre(1.0 / 7, 3.0 / 7, 5.0 / 7, 1));
}

TEST(CurveSamples, APointThatLeapsOverStepsIsTakenOnce) {
  EXPECT_THAT(sampled_recalls({1, 2, 3, 15, 16}, 4), testing::ElementsAre(1.0 / 16, 15.0 / 16, 1));
}

TEST(CurveSamples, AreAtMostTwoHundred) {
  std::vector<std::size_t> counts;
  for (std::size_t i = 1; i <= 5000; ++i) counts.push_back(i);
  const auto samples = curve_samples(curve_with(counts));
  EXPECT_EQ(samples.size(), 200U);
  EXPECT_EQ(samples.front().recall, 1.0 / 5000);
  EXPECT_EQ(samples.back().recall, 1);
}

}  // namespace
}  // namespace hmtc
