// A run that was interrupted and resumed ends with the bytes of one that was not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "base/files.h"
#include "model/model_names.h"
#include "support/expect_error.h"
#include "support/tiny_data.h"

namespace hmtc {
namespace {

class ResumeTest : public testing::Test {
 protected:
  ResumeTest() { write_tiny_data(data_); }

  std::filesystem::path out(const std::string& name) const { return models_.path() / name; }

  std::string uninterrupted(const Config& config) {
    RecordingObserver observer;
    train_tiny(data_.path(), out("whole"), config, observer);
    return weights_of(out("whole"));
  }

  /// Stops the run after so many steps.
  void interrupt(const Config& config, const std::string& name, std::size_t steps,
                 bool resume = false) {
    RecordingObserver observer;
    observer.stop_after = steps;
    EXPECT_EQ(train_tiny(data_.path(), out(name), config, observer, resume).outcome,
              TrainOutcome::kInterrupted);
    EXPECT_EQ(observer.steps.size(), steps);
    EXPECT_FALSE(std::filesystem::exists(out(name) / "manifest.json"));
  }

  std::string resumed(const Config& config, const std::string& name) {
    RecordingObserver observer;
    EXPECT_EQ(train_tiny(data_.path(), out(name), config, observer, true).outcome,
              TrainOutcome::kFinished);
    EXPECT_THAT(observer.messages, testing::Contains(testing::HasSubstr("resumed:")));
    return weights_of(out(name));
  }

  TemporaryDirectory data_, models_;
};

/// With dropout, so that random numbers matter: 3 epochs of 4 steps.
Config with_dropout() {
  Config config = tiny_training();
  config.encoder.dropout = 0.3;
  config.model.global_dropout = 0.3;
  return config;
}

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

TEST_F(ResumeTest, AnotherNumberOfThreadsIsRefused) {
  Config config = with_dropout();
  config.train.threads = 1;
  interrupt(config, "other", 2);
  config.train.threads = 2;
  RecordingObserver observer;
  expect_error(ErrorKind::kUsage, {"train.threads=1", "--restart"},
               [&] { train_tiny(data_.path(), out("other"), config, observer, true); });
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

TEST_F(ResumeTest, AnUnfinishedRunIsNotOverwrittenUnlessAskedFor) {
  interrupt(with_dropout(), "unfinished", 3);
  RecordingObserver observer;
  expect_error(ErrorKind::kUsage, {"unfinished run", "--resume", "--restart"},
               [&] { train_tiny(data_.path(), out("unfinished"), with_dropout(), observer); });
  TrainRequest request;
  request.data = data_.path();
  request.out = out("unfinished");
  request.config = with_dropout();
  request.restart = true;
  request.observer = &observer;
  EXPECT_EQ(train(request).outcome, TrainOutcome::kFinished);
  EXPECT_EQ(observer.steps.size(), 12U);
  EXPECT_EQ(weights_of(out("unfinished")), uninterrupted(with_dropout()));
}

TEST_F(ResumeTest, AnotherConfigurationIsRefusedByItsKey) {
  interrupt(with_dropout(), "other", 3);
  for (const auto& [key, value] :
       {std::pair{"model.document_width", "9"}, std::pair{"train.seed", "4"},
        std::pair{"train.learning_rate", "0.02"}, std::pair{"model.profile", "reference"},
        std::pair{"encoder.kind", "bilstm"}}) {
    Config config = with_dropout();
    config.set(key, value);
    RecordingObserver observer;
    expect_error(ErrorKind::kUsage, {"--resume", std::string(key) + "=", value, "--restart"},
                 [&] { train_tiny(data_.path(), out("other"), config, observer, true); });
  }
  EXPECT_EQ(resumed(with_dropout(), "other"), uninterrupted(with_dropout()));
}

TEST_F(ResumeTest, AnotherModelOrProfileIsNamedBeforeTheDefaultsThatItBrings) {
  Config plus = default_config("la-hcn");
  interrupt(plus, "other", 1);
  RecordingObserver observer;
  const auto resume_with = [&](const Config& config) {
    train_tiny(data_.path(), out("other"), config, observer, true);
  };
  expect_error(ErrorKind::kUsage, {"--model la-hcn, found harnn"},
               [&] { resume_with(default_config("harnn")); });
  expect_error(ErrorKind::kUsage, {"model.profile=plus, found paper"},
               [&] { resume_with(default_config("la-hcn", Profile::kPaper)); });
}

TEST_F(ResumeTest, OtherDataIsRefused) {
  interrupt(with_dropout(), "data", 3);
  data_.write("train.jsonl", eight_documents() + R"({"tokens": ["nail"], "labels": ["tool"]})");
  RecordingObserver observer;
  expect_error(ErrorKind::kUsage, {"other data", "--restart"},
               [&] { train_tiny(data_.path(), out("data"), with_dropout(), observer, true); });
}

TEST_F(ResumeTest, OtherWordVectorsAreRefused) {
  const TemporaryDirectory vectors;
  interrupt(with_dropout(), "vectors", 3);
  RecordingObserver observer;
  TrainRequest request;
  request.data = data_.path();
  request.out = out("vectors");
  request.config = with_dropout();
  std::string row = "hammer";
  for (std::int64_t i = 0; i < request.config.encoder.embedding_width; ++i) row += " 1";
  request.embeddings = vectors.write("v.txt", row + "\n");
  request.observer = &observer;
  request.resume = true;
  expect_error(ErrorKind::kUsage, {"--embeddings", "--restart"}, [&] { train(request); });
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

TEST_F(ResumeTest, ADamagedCheckpointIsRefused) {
  interrupt(with_dropout(), "damaged", 3);
  const auto path = out("damaged") / "run" / "checkpoint.safetensors";
  std::string bytes = read_file(path);
  bytes[bytes.size() - 3] = static_cast<char>(bytes[bytes.size() - 3] ^ 1);
  write_file_atomically(path, bytes);
  RecordingObserver observer;
  expect_error(ErrorKind::kModel, {"checkpoint.safetensors", "--restart"},
               [&] { train_tiny(data_.path(), out("damaged"), with_dropout(), observer, true); });
}

}  // namespace
}  // namespace hmtc
