// A run that was interrupted and resumed ends with the bytes of one that was not.
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/files.h"
#include "learn/resume_fixture.h"
#include "network/model_names.h"
#include "train/checkpoint.h"

namespace hmtc {
namespace {

TEST_F(ResumeTest, AFinishedRunIsNotRepeated) {
  for (const char* model : {"la-hcn", "linear"}) {
    Config config = with_dropout();
    config.model.name = model;
    RecordingObserver first, again, other;
    const TrainResult result = train_tiny(data_.path(), out(model), config, first);
    const std::string weights = weights_of(out(model));
    const auto written = std::filesystem::last_write_time(out(model) / "model.safetensors");
    const TrainResult repeated =
        train_tiny(data_.path(), out(model), config, again, /*resume=*/true);
    EXPECT_EQ(repeated.outcome, TrainOutcome::kFinished);
    EXPECT_EQ(repeated.best_score, result.best_score);
    EXPECT_TRUE(again.steps.empty());
    EXPECT_EQ(std::filesystem::last_write_time(out(model) / "model.safetensors"), written);
    EXPECT_THAT(again.messages, testing::Contains(testing::HasSubstr("nothing is left to do")));
    EXPECT_EQ(weights_of(out(model)), weights);
    config.train.seed = 1;
    train_tiny(data_.path(), out(model), config, other, /*resume=*/true);
    EXPECT_THAT(other.messages, testing::Contains(testing::HasSubstr("will replace the one")));
    EXPECT_EQ(first.steps.size(), other.steps.size());
  }
}

TEST_F(ResumeTest, AnotherVersionOfLibTorchIsMentioned) {
  const Config config = with_dropout();
  interrupt(config, "older", 5);
  const auto file = out("older") / "run" / "checkpoint.safetensors";
  Checkpoint checkpoint = load_checkpoint(file).value();
  EXPECT_THAT(checkpoint.engine, testing::StartsWith("LibTorch "));
  checkpoint.engine = "LibTorch 0.9";
  save_checkpoint(file, checkpoint);
  RecordingObserver observer;
  train_tiny(data_.path(), out("older"), config, observer, /*resume=*/true);
  EXPECT_THAT(observer.messages,
              testing::Contains(testing::AllOf(testing::HasSubstr("begun with LibTorch 0.9"),
                                               testing::HasSubstr("bytes may differ"))));
}

TEST_F(ResumeTest, AFinishedRunWhoseModelIsDamagedIsRepeated) {
  const Config config = with_dropout();
  const std::string weights = uninterrupted(config);
  write_file_atomically(out("whole") / "model.safetensors", "lost");
  RecordingObserver observer;
  train_tiny(data_.path(), out("whole"), config, observer, /*resume=*/true);
  EXPECT_FALSE(observer.steps.empty());
  EXPECT_EQ(weights_of(out("whole")), weights);
}

TEST_F(ResumeTest, OnSeveralThreadsItEndsWithTheSameBytesToo) {
  Config config = with_dropout();
  config.train.threads = 3;
  const std::string expected = uninterrupted(config);
  interrupt(config, "threads", 5);
  config.train.threads = 0;  // as many as the run began with
  EXPECT_EQ(resumed(config, "threads"), expected);
}

TEST_F(ResumeTest, InterruptedAtAnyStepItEndsWithTheSameBytes) {
  const std::string expected = uninterrupted(with_dropout());
  // The first step, within an epoch, at an epoch's end, the last step but one.
  for (const std::size_t steps : {1, 3, 4, 6, 11}) {
    const std::string name = "after_" + std::to_string(steps);
    interrupt(with_dropout(), name, steps);
    EXPECT_EQ(resumed(with_dropout(), name), expected) << name;
  }
}

TEST_F(ResumeTest, InterruptedTwiceItEndsWithTheSameBytes) {
  const std::string expected = uninterrupted(with_dropout());
  interrupt(with_dropout(), "twice", 2);
  interrupt(with_dropout(), "twice", 3, /*resume=*/true);
  EXPECT_EQ(resumed(with_dropout(), "twice"), expected);
}

TEST_F(ResumeTest, TheSameHoldsWithValidationsBetweenEpochs) {
  Config config = with_dropout();
  config.train.validate_steps = 5;
  const std::string expected = uninterrupted(config);
  for (const std::size_t steps : {3, 5, 7}) {
    const std::string name = "after_" + std::to_string(steps);
    interrupt(config, name, steps);
    EXPECT_EQ(resumed(config, name), expected) << name;
  }
}

TEST_F(ResumeTest, TheSameHoldsForTheBiLstm) {
  for (const Profile profile : {Profile::kPaper, Profile::kReference}) {
    Config config = with_dropout();
    config.model.profile = profile;
    config.encoder.kind = EncoderKind::kBiLstm;
    const std::string expected = uninterrupted(config);
    const std::string name = profile == Profile::kPaper ? "paper" : "reference";
    interrupt(config, name, 6);
    EXPECT_EQ(resumed(config, name), expected) << name;
  }
}

TEST_F(ResumeTest, TheSameHoldsForEveryModel) {
  for (const std::string& model : neural_model_names()) {
    Config config = with_dropout();
    config.model.name = model;
    RecordingObserver observer;
    train_tiny(data_.path(), out(model + ".whole"), config, observer);
    interrupt(config, model, 6);
    EXPECT_EQ(resumed(config, model), weights_of(out(model + ".whole"))) << model;
  }
}

TEST_F(ResumeTest, ARunThatDiedGoesOnFromItsLastCheckpoint) {
  Config config = with_dropout();
  config.train.checkpoint_minutes = 0;  // after every step
  const std::string expected = uninterrupted(config);
  RecordingObserver observer;
  observer.throw_after = 7;  // step 7 is done and not saved
  EXPECT_THROW(train_tiny(data_.path(), out("died"), config, observer), Death);
  EXPECT_EQ(resumed(config, "died"), expected);
}

TEST_F(ResumeTest, MetricsOfTheResumedRunNameEachValidationOnce) {
  Config config = with_dropout();
  config.train.validate_steps = 2;
  interrupt(config, "metrics", 5);
  resumed(config, "metrics");
  std::istringstream lines(read_file(out("metrics") / "run" / "metrics.jsonl"));
  std::vector<std::int64_t> steps;
  for (std::string line; std::getline(lines, line);) {
    steps.push_back(nlohmann::json::parse(line)["step"]);
  }
  EXPECT_THAT(steps, testing::ElementsAre(2, 4, 6, 8, 10, 12));
}

TEST_F(ResumeTest, LinesOfMetricsThatAreNotOursAreDropped) {
  Config config = with_dropout();
  config.train.validate_steps = 2;
  interrupt(config, "edited", 5);
  const auto metrics = out("edited") / "run" / "metrics.jsonl";
  const std::string foreign[] = {"{}", "[1]", "no JSON", R"({"member": 0, "step": "two"})",
                                 R"({"member": null, "step": 2})"};
  const std::string ours = read_file(metrics);
  std::string edited = ours;
  for (const std::string& line : foreign) edited += line + "\n";
  write_file_atomically(metrics, edited);
  resumed(config, "edited");
  const std::string after = read_file(metrics);
  EXPECT_THAT(after, testing::StartsWith(ours));
  for (const std::string& line : foreign) {
    EXPECT_THAT(after, testing::Not(testing::HasSubstr(line + "\n")));
  }
}

TEST_F(ResumeTest, WithNothingToResumeItStartsFromTheBeginning) {
  const std::string expected = uninterrupted(with_dropout());
  RecordingObserver observer;
  train_tiny(data_.path(), out("fresh"), with_dropout(), observer, true);
  EXPECT_EQ(observer.steps.size(), 12U);
  EXPECT_EQ(weights_of(out("fresh")), expected);
}

TEST_F(ResumeTest, MoreEpochsMayBeAskedForAndFewerToo) {
  Config longer = with_dropout();
  longer.train.epochs = 4;
  const std::string expected = uninterrupted(longer);
  interrupt(with_dropout(), "longer", 6);
  EXPECT_EQ(resumed(longer, "longer"), expected);

  // Two epochs are done and one is asked for: the run is over as it stands.
  Config shorter = with_dropout();
  shorter.train.epochs = 1;
  interrupt(with_dropout(), "shorter", 8);
  resumed(shorter, "shorter");
}

TEST_F(ResumeTest, ARunThatIsOverBeforeItsFirstValidationStillLeavesAModel) {
  Config config = with_dropout();
  config.train.validate_steps = 100;
  interrupt(config, "early", 8);
  config.train.epochs = 1;
  resumed(config, "early");
}

}  // namespace
}  // namespace hmtc
