// Several networks as one model.
#include "base/files.h"
#include "base/logistic.h"
#include "support/tiny_training.h"

namespace hmtc {
namespace {

using EnsembleTest = TinyTraining;

Config three_members() {
  Config config = tiny_training();
  config.encoder.dropout = 0.3;
  config.train.members = 3;
  return config;
}

TEST_F(EnsembleTest, TheFirstMemberIsTheModelOfOneAndTheOthersDiffer) {
  Config one = three_members();
  one.train.members = 1;
  train_model(one, "one");
  train_model(three_members(), "three");
  const auto alone = load_model(out("one")).tensors.tensors;
  const auto first = tensors_of("three", "members.0.");
  ASSERT_FALSE(first.empty());
  for (const auto& [name, tensor] : first) {
    EXPECT_EQ(tensor.bytes, alone.at(name).bytes) << name;
  }
  EXPECT_NE(tensors_of("three", "members.1.").at("level_1.labels").bytes,
            first.at("level_1.labels").bytes);
  EXPECT_NE(tensors_of("three", "members.2.").at("level_1.labels").bytes,
            tensors_of("three", "members.1.").at("level_1.labels").bytes);
}

TEST_F(EnsembleTest, ItsLogitsAreTheMeanOfTheMembersLogits) {
  train_model(three_members(), "three");
  ModelParts parts = load_model(out("three"));
  const ScoreSet together = scores_of("three");
  std::vector<double> sums(together.local.size(), 0.0);
  for (const char* prefix : {"members.0.", "members.1.", "members.2."}) {
    ModelParts alone = parts;
    alone.config.train.members = 1;
    for (const auto& [name, tensor] : tensors_of("three", prefix))
      alone.tensors.tensors[name] = tensor;
    save_model(out("alone"), alone);
    const ScoreSet scores = scores_of("alone");
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += bounded_logit(scores.local[i]);
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    EXPECT_NEAR(bounded_logit(together.local[i]), sums[i] / 3, 1e-4);
  }
}

TEST_F(EnsembleTest, InterruptedInAnyMemberItEndsWithTheSameBytes) {
  train_model(three_members(), "whole");  // three epochs of four steps each
  for (const std::size_t steps : {5, 12, 13, 30}) {
    const std::string name = "after_" + std::to_string(steps);
    RecordingObserver stopped;
    stopped.pause_after = steps;
    // A stop at the end of a member comes too late for it, and is obeyed in the next one.
    EXPECT_EQ(train_tiny(data_.path(), out(name), three_members(), stopped).outcome,
              TrainOutcome::kInterrupted);
    EXPECT_EQ(train_model(three_members(), name, /*resume=*/true).outcome, TrainOutcome::kFinished);
    EXPECT_EQ(weights_of(out(name)), weights_of(out("whole"))) << name;
    EXPECT_EQ(read_file(out(name) / "config.json"), read_file(out("whole") / "config.json"));
  }
}

TEST_F(EnsembleTest, MetricsTellTheMembersApart) {
  train_model(three_members(), "three");
  ASSERT_EQ(observer_.validations.size(), 9U);
  EXPECT_EQ(observer_.validations[2].member, 0);
  EXPECT_EQ(observer_.validations[3].member, 1);
  EXPECT_EQ(observer_.validations[3].step, 4);
  EXPECT_EQ(observer_.validations[8].member, 2);
}

TEST_F(EnsembleTest, AllOfItTogetherOverfitsAndIsResumedToTheSameBytes) {
  Config config = three_members();
  config.fusion.wide = true;
  config.fusion.calibrate = true;
  config.train.epochs = 20;
  config.train.patience = 20;
  train_model(config, "whole");
  LoadedModel model = load_for_prediction(out("whole"), 1);
  const Evaluation found = evaluate(model, (data_.path() / "train.jsonl").string(), {});
  EXPECT_GT(found.reports[0].report.areas.micro, 0.99);
  EXPECT_EQ(found.reports.back().name, "wide");
  RecordingObserver stopped;
  stopped.pause_after = 100;
  train_tiny(data_.path(), out("cut"), config, stopped);
  train_model(config, "cut", /*resume=*/true);
  EXPECT_EQ(weights_of(out("cut")), weights_of(out("whole")));
}

}  // namespace
}  // namespace hmtc
