#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "apps/tiny_project.h"

namespace hmtc {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kTea = R"({"id": "1", "text": "green leaf in a pot"})";
constexpr const char* kBread = R"({"id": "2", "text": "rye flour"})";

class Predict : public testing::Test {
 protected:
  static void SetUpTestSuite() { project_ = new TinyProject; }
  static void TearDownTestSuite() { delete project_; }

  static ProcessResult predict(const Arguments& more, const std::string& input) {
    Arguments arguments = {"predict", project_->model()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return hmtc_program(arguments, input);
  }

  /// The output lines as JSON; the call must succeed.
  static std::vector<json> predicted(const Arguments& more, const std::string& input) {
    const ProcessResult result = predict(more, input);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    std::vector<json> lines;
    for (const std::string& line : lines_of(result.out)) lines.push_back(json::parse(line));
    return lines;
  }

  static inline TinyProject* project_ = nullptr;
};

TEST_F(Predict, NoInputIsNoOutput) {
  const ProcessResult result = predict({}, "");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, IsEmpty());
}

TEST_F(Predict, KeepsTheOrderOverManyDocumentsAndNumbersThoseWithoutId) {
  std::string input;
  for (int i = 0; i < 2500; ++i) {  // more than two rounds of 1024
    input += i % 2 == 0 ? R"({"id": "d)" + std::to_string(i) + R"(", "text": "tea"})"
                        : std::string(R"({"text": "bread rye"})");
    input += "\n";
  }
  const std::vector<json> lines = predicted({"--top", "1"}, input);
  ASSERT_EQ(lines.size(), 2500U);
  for (int i = 0; i < 2500; ++i) {
    ASSERT_EQ(lines[static_cast<std::size_t>(i)]["id"],
              i % 2 == 0 ? "d" + std::to_string(i) : std::to_string(i + 1));
  }
}

TEST_F(Predict, AFileAndStandardInputGiveTheSame) {
  const std::string input = std::string(kTea) + "\n" + kBread + "\n";
  const std::string file = project_->directory().write("in.jsonl", input);
  const ProcessResult from_file = predict({file}, "");
  EXPECT_EQ(from_file.exit_code, 0);
  EXPECT_EQ(predict({"-"}, input).out, from_file.out);
}

TEST_F(Predict, TopGivesSoManyBestFirst) {
  for (const std::size_t top : {3, 50}) {
    const json line = predicted({"--top", std::to_string(top)}, kTea).at(0);
    const json& labels = line["labels"];
    ASSERT_EQ(labels.size(), std::min<std::size_t>(top, 9));
    for (std::size_t i = 1; i < labels.size(); ++i) {
      EXPECT_GE(labels[i - 1]["score"], labels[i]["score"]);
    }
  }
}

TEST_F(Predict, ThresholdCutsWhatAllScoresLists) {
  const json scores = predicted({"--all-scores"}, kTea).at(0)["scores"];
  std::size_t at_least_third = 0;
  for (const auto& [label, score] : scores.items()) at_least_third += score >= 0.33 ? 1 : 0;
  EXPECT_EQ(predicted({"--threshold", "0.33"}, kTea).at(0)["labels"].size(), at_least_third);
  EXPECT_EQ(predicted({"--threshold", "0"}, kTea).at(0)["labels"].size(), 9U);
}

TEST_F(Predict, AllScoresNamesEveryLabelAndIsCoherent) {
  const json scores = predicted({"--all-scores"}, kTea).at(0)["scores"];
  EXPECT_EQ(scores.size(), tiny_labels().size());
  for (const std::string& label : tiny_labels()) {
    ASSERT_TRUE(scores.contains(label)) << label;
    const auto slash = label.rfind('/');
    if (slash != std::string::npos) {
      EXPECT_GE(scores[label.substr(0, slash)], scores[label]);
    }
  }
}

TEST_F(Predict, PlainTakesLinesAsTexts) {
  EXPECT_EQ(predict({"--plain", "--all-scores"}, "green leaf in a pot\n{x\n\n").out,
            predict({"--all-scores"}, std::string(kTea) + "\n" + R"({"text": "{x"})" + "\n" +
                                          R"({"text": ""})" + "\n")
                .out);
}

TEST_F(Predict, EmptyAndUnknownWordsAreDocumentsToo) {
  EXPECT_EQ(predicted({"--top", "2"}, "{\"text\": \"\"}\n{\"tokens\": [\"qqq\"]}\n").size(), 2U);
}

TEST_F(Predict, ABadLineStopsAfterTheLinesBeforeItAreWritten) {
  const ProcessResult result = predict({}, std::string(kTea) + "\n{\"id\": 2}\n" + kBread + "\n");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(lines_of(result.out).size(), 1U);
  EXPECT_THAT(result.err, HasSubstr("standard input:2"));
}

TEST_F(Predict, OnErrorSkipReportsBadLinesAndGoesOn) {
  const ProcessResult result = predict(
      {"--on-error", "skip"}, std::string("{\n") + kTea + "\n{\"text\": \"\xFF\"}\n" + kBread);
  EXPECT_EQ(result.exit_code, 0);
  const auto lines = lines_of(result.out);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(json::parse(lines[0])["id"], "1");
  EXPECT_EQ(json::parse(lines[1])["id"], "2");
  for (const char* part : {"standard input:1", "standard input:3", "2 lines skipped"}) {
    EXPECT_THAT(result.err, HasSubstr(part));
  }
}

TEST_F(Predict, BadUtf8InAPlainLineIsBadInput) {
  const ProcessResult plain = predict({"--plain"}, "tea \xC3(\n");
  EXPECT_EQ(plain.exit_code, 3);
  EXPECT_THAT(plain.err, HasSubstr("UTF-8"));
}

}  // namespace
}  // namespace hmtc
