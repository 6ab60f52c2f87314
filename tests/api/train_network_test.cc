// Networks learn in a process of hmtc-trainer, which lies beside libhmtc in the build tree.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <csignal>

#include "api/eight_threads.h"
#include "api/tiny_documents.h"
#include "support/expect_error.h"

namespace hmtc {
namespace {

/// Hears of a run, and asks it to stop after some validations.
class Recorder : public TrainObserver {
 public:
  void on_begin() override { ++begins; }
  void on_message(const std::string& message) override { messages.push_back(message); }
  void on_validation(const ValidationReport& report) override {
    validations.push_back(report);
    if (validations.size() == pause_after) stop.pause();
    if (validations.size() == finish_after) stop.finish();
    if (validations.size() == throw_after) throw std::runtime_error("enough");
  }

  int begins = 0;
  std::vector<std::string> messages;
  std::vector<ValidationReport> validations;
  StopToken stop;
  std::size_t pause_after = 0, finish_after = 0, throw_after = 0;
};

class TrainNetworkApi : public testing::Test {
 protected:
  /// `epochs` of a few milliseconds each.
  TrainJob job(const std::string& name, Recorder& recorder, int epochs) const {
    return {.out = folder_.path(name),
            .settings = {"encoder.kind=embedding", "model.attention_width=4",
                         "model.document_width=4", "model.global_width=4", "model.components=2",
                         "encoder.embedding_width=4", "train.threads=1", "train.patience=100000",
                         "train.epochs=" + std::to_string(epochs)},
            .observer = &recorder,
            .stop = &recorder.stop};
  }

  ModelFolder folder_;
  Recorder recorder_;
};

TEST_F(TrainNetworkApi, ANetworkLearnsAndClassifies) {
  const TrainResult result = train(tiny_documents(), job("model", recorder_, 3));
  EXPECT_EQ(result.outcome, TrainOutcome::kFinished);
  EXPECT_GT(result.best_score, 0);
  EXPECT_EQ(recorder_.begins, 1);
  ASSERT_EQ(recorder_.validations.size(), 3U);
  EXPECT_DOUBLE_EQ(recorder_.validations[2].epoch, 3);
  EXPECT_THAT(recorder_.messages, testing::Contains(testing::HasSubstr("model written to")));
  const auto classifier = Classifier::load(folder_.path("model"));
  EXPECT_EQ(classifier.model_name(), "la-hcn");
  const Explanation explanation =
      classifier.explain(Document::of_text("green leaf"), {.labels = {"tea"}});
  EXPECT_EQ(explanation.method, WordMethod::kAttention);
  EXPECT_NEAR(explanation.labels[0].weights[0] + explanation.labels[0].weights[1], 1, 1e-5);
}

TEST_F(TrainNetworkApi, APausedRunGoesOnToTheModelOfARunThatWasNot) {
  // So many that the run is not over before the pause arrives.
  train(tiny_documents(), job("whole", recorder_, 1000));
  Recorder pausing;
  pausing.pause_after = 2;
  TrainJob paused = job("paused", pausing, 1000);
  EXPECT_EQ(train(tiny_documents(), paused).outcome, TrainOutcome::kInterrupted);
  EXPECT_FALSE(std::filesystem::exists(paused.out / "manifest.json"));
  Recorder resuming;
  paused.observer = &resuming;
  paused.stop = nullptr;
  paused.resume = true;
  EXPECT_EQ(train(tiny_documents(), paused).outcome, TrainOutcome::kFinished);
  const Document text[] = {Document::of_text("green bean loaf")};
  EXPECT_EQ(Classifier::load(paused.out).scores(text).values,
            Classifier::load(folder_.path("whole")).scores(text).values);
}

TEST_F(TrainNetworkApi, ARunThatIsToFinishWritesTheBestSoFar) {
  recorder_.finish_after = 2;
  const TrainResult result = train(tiny_documents(), job("model", recorder_, 100'000));
  EXPECT_EQ(result.outcome, TrainOutcome::kFinished);
  EXPECT_LT(recorder_.validations.size(), 50'000U);
  EXPECT_EQ(Classifier::load(folder_.path("model")).labels().size(), 5U);
}

TEST_F(TrainNetworkApi, EightThreadsMayUseOneNetwork) {
  train(tiny_documents(), job("model", recorder_, 3));
  const auto classifier = Classifier::load(folder_.path("model"), 1);
  const std::vector<Document> documents = tiny_documents().train;
  const ScoreTable alone = classifier.scores(documents);
  const ExplainOptions tea{.labels = {"tea"}};
  const std::string explained = to_json(classifier.explain(documents[0], tea));
  on_eight_threads([&] {
    for (int round = 0; round < 10; ++round) {
      EXPECT_EQ(classifier.scores(documents).values, alone.values);
      EXPECT_EQ(to_json(classifier.explain(documents[0], tea)), explained);
    }
  });
}

TEST_F(TrainNetworkApi, SignalsReachARunThatAThreadWithoutSignalsBegan) {
  recorder_.finish_after = 2;
  TrainResult result;
  std::thread([&] {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, nullptr);
    result = train(tiny_documents(), job("model", recorder_, 100'000));
  }).join();
  EXPECT_EQ(result.outcome, TrainOutcome::kFinished);
  EXPECT_LT(recorder_.validations.size(), 50'000U);
}

TEST_F(TrainNetworkApi, AProgramThatIgnoresItsChildrenHearsHowARunEnded) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  const TrainResult result = train(tiny_documents(), job("model", recorder_, 3));
  std::signal(SIGCHLD, before);
  EXPECT_EQ(result.outcome, TrainOutcome::kFinished);
  EXPECT_GT(result.best_score, 0);
}

TEST_F(TrainNetworkApi, WhatTheTrainerSaysOfBadSettingsAndDataIsThrown) {
  TrainJob bad = job("model", recorder_, 1);
  bad.embeddings = "no such vectors";
  expect_error(ErrorKind::kIo, {"no such vectors"}, [&] { train(tiny_documents(), bad); });
  expect_error(ErrorKind::kIo, {"no such data"},
               [&] { train(std::filesystem::path("no such data"), job("model", recorder_, 1)); });
}

TEST_F(TrainNetworkApi, WhatAnObserverThrowsEndsTheRun) {
  recorder_.throw_after = 1;
  EXPECT_THROW(train(tiny_documents(), job("model", recorder_, 100'000)), std::runtime_error);
  // The lock of the folder is free again, so that the run can begin anew.
  Recorder another;
  TrainJob anew = job("model", another, 1);
  anew.restart = true;
  EXPECT_EQ(train(tiny_documents(), anew).outcome, TrainOutcome::kFinished);
}

}  // namespace
}  // namespace hmtc
