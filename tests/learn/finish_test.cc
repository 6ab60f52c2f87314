// Runs that are ended early: with a checkpoint to go on from, or with the best model so far.
#include <gmock/gmock.h>

#include "base/files.h"
#include "learn/train_network.h"
#include "network/ensemble.h"
#include "support/tiny_training.h"

namespace hmtc {
namespace {

using testing::Contains;
using testing::HasSubstr;

/// 3 epochs of 4 steps, with dropout, so that random numbers matter.
Config with_dropout() {
  Config config = tiny_training();
  config.encoder.dropout = 0.3;
  config.model.global_dropout = 0.3;
  return config;
}

class Finish : public TinyTraining {
 protected:
  /// Asked to finish after so many steps.
  TrainResult finish_after(std::size_t steps, const Config& config, const std::string& name) {
    heard_ = std::make_unique<RecordingObserver>();
    heard_->finish_after = steps;
    return train_tiny(data_.path(), out(name), config, *heard_);
  }

  void expect_whole_model(const std::string& name, std::size_t num_members = 1) const {
    EXPECT_FALSE(std::filesystem::exists(checkpoint(name)));
    const LoadedModel model = load_for_prediction(out(name), 1);
    EXPECT_EQ(model.config.train.members, static_cast<std::int64_t>(num_members));
    EXPECT_EQ(model.scorer->parts().networks->members().size(), num_members);
    for (const float score : scores_of(name).combined) {
      EXPECT_GT(score, 0);
      EXPECT_LT(score, 1);
    }
  }

  std::filesystem::path checkpoint(const std::string& name) const {
    return out(name) / "run" / "checkpoint.safetensors";
  }

  /// Of the tensors of a model whose names begin so.
  std::map<std::string, std::string> bytes_of(const std::string& model,
                                              const std::string& prefix = "") const {
    std::map<std::string, std::string> bytes;
    for (const auto& [name, tensor] : tensors_of(model, prefix)) {
      const auto* begin = reinterpret_cast<const char*>(tensor.bytes.data());
      bytes[name] = std::string(begin, tensor.bytes.size());
    }
    return bytes;
  }

  std::unique_ptr<RecordingObserver> heard_;  // by the last that was asked to finish
};

TEST_F(Finish, BeforeTheFirstValidationTheModelIsWhatTheStepsHaveMade) {
  EXPECT_EQ(finish_after(1, with_dropout(), "early").outcome, TrainOutcome::kFinished);
  EXPECT_EQ(heard_->steps.size(), 1U);
  EXPECT_EQ(heard_->validations.size(), 1U);  // what is written has a score
  EXPECT_THAT(heard_->messages, Contains(HasSubstr("finishing with what is best so far")));
  expect_whole_model("early");
}

TEST_F(Finish, TheModelIsTheBestOfTheValidationsSoFar) {
  // Of an epoch and a step more, the epoch alone was validated: a run of one epoch.
  Config one_epoch = with_dropout();
  one_epoch.train.epochs = 1;
  const TrainResult whole = train_model(one_epoch, "one_epoch");
  const TrainResult finished = finish_after(5, with_dropout(), "finished");
  EXPECT_EQ(finished.outcome, TrainOutcome::kFinished);
  EXPECT_EQ(finished.best_score, whole.best_score);
  EXPECT_EQ(heard_->steps.size(), 5U);
  EXPECT_EQ(bytes_of("finished"), bytes_of("one_epoch"));
  expect_whole_model("finished");
}

TEST_F(Finish, ARunThatWasEndedEarlyIsNotTakenForTheWholeOne) {
  train_model(with_dropout(), "whole");
  finish_after(5, with_dropout(), "model");
  RecordingObserver again;
  EXPECT_EQ(train_tiny(data_.path(), out("model"), with_dropout(), again, /*resume=*/true).outcome,
            TrainOutcome::kFinished);
  EXPECT_EQ(again.steps.size(), 12U);
  EXPECT_EQ(weights_of(out("model")), weights_of(out("whole")));
}

TEST_F(Finish, AfterTheLastStepItIsTheModelOfTheWholeRun) {
  train_model(with_dropout(), "whole");
  finish_after(12, with_dropout(), "finished");
  EXPECT_EQ(weights_of(out("finished")), weights_of(out("whole")));
  expect_whole_model("finished");
}

TEST_F(Finish, APausedRunLeavesACheckpointAndGoesOnToTheSameBytes) {
  train_model(with_dropout(), "whole");
  RecordingObserver paused;
  paused.pause_after = 6;
  EXPECT_EQ(train_tiny(data_.path(), out("paused"), with_dropout(), paused).outcome,
            TrainOutcome::kInterrupted);
  EXPECT_EQ(paused.pauses, 1U);
  EXPECT_TRUE(std::filesystem::exists(checkpoint("paused")));
  EXPECT_FALSE(std::filesystem::exists(out("paused") / "manifest.json"));
  train_model(with_dropout(), "paused", /*resume=*/true);
  EXPECT_EQ(weights_of(out("paused")), weights_of(out("whole")));
  EXPECT_EQ(read_file(out("paused") / "config.json"), read_file(out("whole") / "config.json"));
  expect_whole_model("paused");
}

TEST_F(Finish, APausedRunThatIsAskedToFinishFinishes) {
  finish_after(6, with_dropout(), "finished");
  RecordingObserver paused;
  paused.pause_after = 6;
  paused.finish_in_pause = true;
  EXPECT_EQ(train_tiny(data_.path(), out("paused"), with_dropout(), paused).outcome,
            TrainOutcome::kFinished);
  EXPECT_EQ(paused.pauses, 1U);
  EXPECT_EQ(paused.steps.size(), 6U);
  EXPECT_EQ(weights_of(out("paused")), weights_of(out("finished")));
  expect_whole_model("paused");
}

TEST_F(Finish, AFinishedRunIsNotPaused) {
  finish_after(6, with_dropout(), "finished");
  EXPECT_EQ(heard_->pauses, 0U);
}

TEST_F(Finish, AResumedRunCanBeFinishedToo) {
  finish_after(9, with_dropout(), "finished");
  RecordingObserver paused, resumed;
  paused.pause_after = 6;
  train_tiny(data_.path(), out("twice"), with_dropout(), paused);
  resumed.finish_after = 3;
  EXPECT_EQ(train_tiny(data_.path(), out("twice"), with_dropout(), resumed, true).outcome,
            TrainOutcome::kFinished);
  EXPECT_EQ(weights_of(out("twice")), weights_of(out("finished")));
  expect_whole_model("twice");
}

TEST_F(Finish, WhenItsMinutesAreOverARunFinishesWithAModel) {
  TrainRequest request = tiny_request(data_.path(), out("timed"), with_dropout(), observer_);
  request.train_network = train_network;
  request.minutes = 1e-9;
  EXPECT_EQ(train(request).outcome, TrainOutcome::kFinished);
  EXPECT_EQ(observer_.steps.size(), 1U);
  EXPECT_EQ(observer_.pauses, 0U);
  expect_whole_model("timed");
}

TEST_F(Finish, WithMinutesThatAreNotOverTheRunIsTheSame) {
  train_model(with_dropout(), "whole");
  RecordingObserver observer;
  TrainRequest request = tiny_request(data_.path(), out("timed"), with_dropout(), observer);
  request.train_network = train_network;
  request.minutes = 1e6;
  train(request);
  EXPECT_EQ(weights_of(out("timed")), weights_of(out("whole")));
}

TEST_F(Finish, InTheSecondMemberTheModelHasTwo) {
  Config config = with_dropout();
  config.train.members = 3;
  train_model(config, "whole");
  // An epoch of the second member and a step: 12 + 4 + 1.
  EXPECT_EQ(finish_after(17, config, "two").outcome, TrainOutcome::kFinished);
  EXPECT_THAT(heard_->messages, Contains(HasSubstr("2 of 3 members")));
  expect_whole_model("two", 2);
  EXPECT_EQ(bytes_of("two", "members.0."), bytes_of("whole", "members.0."));
  EXPECT_NE(bytes_of("two", "members.1."), bytes_of("two", "members.0."));
  EXPECT_FALSE(bytes_of("two", "members.1.").empty());
  EXPECT_TRUE(bytes_of("two", "members.2.").empty());
}

TEST_F(Finish, InTheFirstMemberTheModelIsThatOfOne) {
  Config config = with_dropout();
  finish_after(6, config, "one");
  config.train.members = 3;
  finish_after(6, config, "first_of_three");
  EXPECT_EQ(bytes_of("first_of_three"), bytes_of("one"));
  expect_whole_model("first_of_three");
}

class FinishRefit : public Finish {
 protected:
  FinishRefit() {
    std::filesystem::remove(data_.path() / "val.jsonl");
    std::string documents;
    for (int i = 0; i < 3; ++i) documents += eight_documents();
    data_.write("train.jsonl", documents);
    config_.train.refit = true;
    config_.fusion.wide = true;
    config_.fusion.calibrate = true;
    config_.linear.strengths = {1, 4};
  }

  /// The number of steps of a whole run, and those before its refit.
  std::pair<std::size_t, std::size_t> steps_of_whole_run(const Config& config) {
    RecordingObserver observer;
    train_tiny(data_.path(), out("whole"), config, observer);
    const auto per_epoch = static_cast<std::size_t>(observer.steps.front().batches);
    return {observer.steps.size(), static_cast<std::size_t>(config.train.epochs) * per_epoch};
  }

  ScoreSet scores_of_training(const std::string& name) const {
    const LoadedModel model = load_for_prediction(out(name), 1);
    LabelResolver labels(model.hierarchy, true);
    return model.scorer->score(read_corpus((data_.path() / "train.jsonl").string(),
                                           model.vocabulary, labels, model.read_options()));
  }

  Config config_ = with_dropout();
};

TEST_F(FinishRefit, TheModelIsTheOneThatValidationChose) {
  Config without = config_;
  without.train.refit = false;
  train_model(without, "chosen");
  const auto [all, before] = steps_of_whole_run(config_);
  ASSERT_GT(all, before + 2);
  for (const std::size_t steps : {before + 1, all - 1}) {
    const std::string name = "after_" + std::to_string(steps);
    EXPECT_EQ(finish_after(steps, config_, name).outcome, TrainOutcome::kFinished);
    EXPECT_THAT(heard_->messages, Contains(HasSubstr("no refit")));
    EXPECT_FALSE(std::filesystem::exists(checkpoint(name)));
    EXPECT_EQ(bytes_of(name), bytes_of("chosen")) << name;
    EXPECT_EQ(scores_of_training(name).combined, scores_of_training("chosen").combined);
    EXPECT_EQ(load_model(out(name)).vocabulary.size(), load_model(out("chosen")).vocabulary.size());
  }
}

TEST_F(FinishRefit, BeforeItAndInTheSecondMemberTheModelLoads) {
  config_.train.members = 2;
  const auto [all, before] = steps_of_whole_run(config_);
  // Before the first refit; in the first refit; in the last one.
  for (const std::size_t steps : {before - 1, before + 1, all - 1}) {
    const std::string name = "after_" + std::to_string(steps);
    EXPECT_EQ(finish_after(steps, config_, name).outcome, TrainOutcome::kFinished);
    EXPECT_FALSE(std::filesystem::exists(checkpoint(name)));
    const LoadedModel model = load_for_prediction(out(name), 1);
    EXPECT_EQ(model.scorer->parts().networks->members().size(), steps == all - 1 ? 2U : 1U) << name;
    EXPECT_FALSE(scores_of_training(name).wide.empty());
  }
}

}  // namespace
}  // namespace hmtc
