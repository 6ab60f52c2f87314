#include "hmtc/train.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/tiny_documents.h"
#include "support/expect_error.h"

namespace hmtc {
namespace {

class Recorder : public TrainObserver {
 public:
  void on_message(const std::string& message) override { messages.push_back(message); }
  std::vector<std::string> messages;
};

class TrainApi : public testing::Test {
 protected:
  ModelFolder folder_;
};

TEST_F(TrainApi, ALinearModelLearnsInThisProcess) {
  Recorder recorder;
  const TrainResult result = train(
      tiny_documents(), {.out = folder_.path("model"), .model = "linear", .observer = &recorder});
  EXPECT_EQ(result.outcome, TrainOutcome::kFinished);
  EXPECT_DOUBLE_EQ(result.best_score, 1);
  EXPECT_THAT(recorder.messages, testing::Contains(testing::HasSubstr("5 labels")));
}

TEST_F(TrainApi, ADataDirectoryGivesTheModelOfTheSameDocumentsInMemory) {
  const TemporaryDirectory data;
  const std::string lines =
      "{\"text\":\"green green leaf\",\"labels\":[\"drink/tea\"]}\n"
      "{\"text\":\"rye flour flour\",\"labels\":[\"bakery/bread\"]}\n";
  data.write("train.jsonl", lines);
  data.write("val.jsonl", lines);
  train(data.path(), {.out = folder_.path("from_files"), .model = "linear"});
  TrainingDocuments documents;
  documents.train = {document("green green leaf", {"drink/tea"}),
                     document("rye flour flour", {"bakery/bread"})};
  documents.validation = documents.train;
  train(documents, {.out = folder_.path("from_memory"), .model = "linear"});
  const auto from_files = Classifier::load(folder_.path("from_files"));
  const auto from_memory = Classifier::load(folder_.path("from_memory"));
  const Document text[] = {Document::of_text("a green flour")};
  EXPECT_EQ(from_files.scores(text).values, from_memory.scores(text).values);
}

TEST_F(TrainApi, SettingsAreThoseOfTheProgram) {
  Recorder recorder;
  train(tiny_documents(), {.out = folder_.path("model"),
                           .model = "linear",
                           .settings = {"linear.strengths=2"},
                           .observer = &recorder});
  EXPECT_THAT(recorder.messages, testing::Contains(testing::HasSubstr("strength 2:")));
  expect_error(ErrorKind::kUsage, {"linear.strength", "linear.strengths"}, [&] {
    train(tiny_documents(), {.out = folder_.path("other"), .settings = {"linear.strength=2"}});
  });
  expect_error(ErrorKind::kUsage, {"unknown model", "svm"},
               [&] { train(tiny_documents(), {.out = folder_.path("other"), .model = "svm"}); });
}

TEST_F(TrainApi, BadDocumentsAreErrorsThatSayWhich) {
  TrainingDocuments documents = tiny_documents();
  documents.hierarchy.push_back({"cake", "pastry", ""});
  expect_error(ErrorKind::kInput, {"pastry"},
               [&] { train(documents, {.out = folder_.path("model"), .model = "linear"}); });
  documents = tiny_documents();
  documents.train.push_back(document("milk", {"cocoa"}));
  expect_error(ErrorKind::kInput, {"train.jsonl:13", "cocoa"},
               [&] { train(documents, {.out = folder_.path("model"), .model = "linear"}); });
  documents.train.back() = document("caf\xE9", {"tea"});
  try {
    train(documents, {.out = folder_.path("model"), .model = "linear"});
    ADD_FAILURE() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_THAT(error.what(), testing::StartsWith("train.jsonl:13: expected UTF-8"));
  }
  EXPECT_FALSE(std::filesystem::exists(folder_.path("model") / "manifest.json"));
}

TEST_F(TrainApi, AStopTokenEndsALinearRunWithoutAModelOrWithTheBestSoFar) {
  StopToken pause;
  pause.pause();
  EXPECT_EQ(
      train(tiny_documents(), {.out = folder_.path("paused"), .model = "linear", .stop = &pause})
          .outcome,
      TrainOutcome::kInterrupted);
  EXPECT_FALSE(std::filesystem::exists(folder_.path("paused") / "manifest.json"));
  StopToken finish;
  finish.finish();
  Recorder recorder;
  EXPECT_EQ(train(tiny_documents(), {.out = folder_.path("finished"),
                                     .model = "linear",
                                     .observer = &recorder,
                                     .stop = &finish})
                .outcome,
            TrainOutcome::kFinished);
  EXPECT_EQ(std::count_if(recorder.messages.begin(), recorder.messages.end(),
                          [](const auto& text) { return text.starts_with("strength"); }),
            1);
}

}  // namespace
}  // namespace hmtc
