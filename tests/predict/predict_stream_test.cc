#include "predict/predict_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/strings.h"
#include "predict/fake_model.h"
#include "support/expect_error.h"
#include "support/temporary_directory.h"

namespace hmtc {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class PredictStream : public testing::Test {
 protected:
  PredictSummary predict(const std::string& content, const PredictStreamOptions& options = {}) {
    LoadedModel model = fake_model();
    return predict_stream(
        model, directory_.write("input", content), options,
        [this](std::string_view lines) {
          for (const std::string_view line : split_fields(lines, '\n')) lines_.emplace_back(line);
          EXPECT_EQ(lines_.back(), "") << "the last line is not ended";
          lines_.pop_back();
        },
        [this](const std::string& problem) { problems_.push_back(problem); });
  }

  TemporaryDirectory directory_;
  std::vector<std::string> lines_, problems_;
};

TEST_F(PredictStream, NothingComesOfAnEmptyInput) {
  EXPECT_EQ(predict("").documents, 0U);
  EXPECT_EQ(predict("\n  \n").documents, 0U);
  EXPECT_TRUE(lines_.empty());
}

TEST_F(PredictStream, EveryLineGivesItsLabelsWithScoresBestFirst) {
  const PredictSummary summary = predict(R"({"id": "x", "text": "One!"})"
                                         "\n");
  EXPECT_THAT(lines_, ElementsAre(R"({"id":"x","labels":[{"label":"a","score":0.9},)"
                                  R"({"label":"a1","score":0.6}]})"));
  EXPECT_EQ(summary.documents, 1U);
  EXPECT_EQ(summary.bad_lines, 0U);
}

TEST_F(PredictStream, TheParentIsRaisedToItsChildUnlessToldOtherwise) {
  PredictStreamOptions options;
  options.all_scores = true;
  predict(R"({"id": "x", "tokens": ["two"]})", options);
  EXPECT_EQ(lines_.back(), R"({"id":"x","scores":{"a":0.3,"b":0.8,"a1":0.3}})");
  options.labels.coherent = false;
  predict(R"({"id": "x", "tokens": ["two"]})", options);
  EXPECT_EQ(lines_.back(), R"({"id":"x","scores":{"a":0.1,"b":0.8,"a1":0.3}})");
}

TEST_F(PredictStream, AnIdThatIsMissingIsTheNumberOfTheLine) {
  PredictStreamOptions options;
  options.labels.top = 1;
  predict("\n{\"tokens\": [\"one\"]}\n", options);
  EXPECT_THAT(lines_, ElementsAre(R"({"id":"2","labels":[{"label":"a","score":0.9}]})"));
}

TEST_F(PredictStream, AnEmptyDocumentIsAnswered) {
  predict(R"({"id": "x", "text": ""})");
  EXPECT_THAT(lines_, ElementsAre(R"({"id":"x","labels":[]})"));
}

TEST_F(PredictStream, LabelsInTheInputAreNotNeededAndNotChecked) {
  predict(R"({"id": "x", "tokens": ["one"], "labels": ["nonsense"]})");
  EXPECT_EQ(lines_.size(), 1U);
}

TEST_F(PredictStream, ManyLinesKeepTheirOrderOverSeveralRounds) {
  // More than two rounds of 1,024 documents.
  std::string content;
  for (int i = 0; i < 2500; ++i) {
    content += R"({"id": ")" + std::to_string(i) + R"(", "tokens": [")" +
               (i % 3 == 0 ? "one" : "two") + "\"]}\n";
  }
  PredictStreamOptions options;
  options.labels.top = 1;
  EXPECT_EQ(predict(content, options).documents, 2500U);
  ASSERT_EQ(lines_.size(), 2500U);
  for (int i = 0; i < 2500; ++i) {
    EXPECT_EQ(lines_[static_cast<std::size_t>(i)],
              R"({"id":")" + std::to_string(i) + R"(","labels":[{"label":")" +
                  (i % 3 == 0 ? R"(a","score":0.9})" : R"(b","score":0.8})") + "]}");
  }
}

TEST_F(PredictStream, ABadLineStopsTheRunAfterTheLinesBeforeItAreWritten) {
  const std::string content =
      "{\"tokens\": [\"one\"]}\n{\"tokens\": [\"two\"]}\n{\"tokens\": \n{\"tokens\": [\"one\"]}\n";
  expect_error(ErrorKind::kInput, {"input:3:"}, [&] { predict(content); });
  EXPECT_EQ(lines_.size(), 2U);
  EXPECT_TRUE(problems_.empty());
}

TEST_F(PredictStream, ABadLineCanBeReportedAndPassedOver) {
  PredictStreamOptions options;
  options.stop_at_error = false;
  const PredictSummary summary = predict(
      "{\"id\": \"1\", \"tokens\": [\"one\"]}\nno JSON\n{\"id\": \"3\"}\n"
      "{\"id\": \"4\", \"tokens\": [\"two\"]}\n",
      options);
  EXPECT_EQ(summary.documents, 2U);
  EXPECT_EQ(summary.bad_lines, 2U);
  ASSERT_EQ(lines_.size(), 2U);
  EXPECT_THAT(lines_[0], HasSubstr(R"("id":"1")"));
  EXPECT_THAT(lines_[1], HasSubstr(R"("id":"4")"));
  EXPECT_THAT(problems_, ElementsAre(HasSubstr("input:2:"), HasSubstr("input:3:")));
}

TEST_F(PredictStream, ARoundOfBadLinesAloneWritesNothingAndGoesOn) {
  PredictStreamOptions options;
  options.stop_at_error = false;
  std::string content;
  for (int i = 0; i < 1024; ++i) content += "bad\n";
  const PredictSummary summary = predict(content + "{\"tokens\": [\"one\"]}\n", options);
  EXPECT_EQ(summary.bad_lines, 1024U);
  EXPECT_EQ(summary.documents, 1U);
}

TEST_F(PredictStream, PlainLinesAreTextsWhateverTheyLookLike) {
  PredictStreamOptions options;
  options.plain = true;
  options.labels.top = 1;
  predict("one more\n\n{\"two\"\n", options);
  EXPECT_THAT(lines_, ElementsAre(R"({"id":"1","labels":[{"label":"a","score":0.9}]})",
                                  R"({"id":"2","labels":[{"label":"a","score":0}]})",
                                  R"({"id":"3","labels":[{"label":"b","score":0.8}]})"));
}

TEST_F(PredictStream, APlainLineThatIsNotUtf8IsBad) {
  PredictStreamOptions options;
  options.plain = true;
  expect_error(ErrorKind::kInput, {"input:2:", "UTF-8", "byte 5"},
               [&] { predict("one\nabcd\xff\n", options); });
  EXPECT_EQ(lines_.size(), 1U);
}

TEST_F(PredictStream, AMissingFileIsAnIoError) {
  LoadedModel model = fake_model();
  const auto ignore = [](std::string_view) {};
  expect_error(ErrorKind::kIo, {"nowhere.jsonl"}, [&] {
    predict_stream(model, (directory_.path() / "nowhere.jsonl").string(), {}, ignore, ignore);
  });
}

}  // namespace
}  // namespace hmtc
