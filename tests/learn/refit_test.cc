// Without a validation split some training documents are held out; with train.refit the model
// learns from them too, once they have chosen.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "artifact/model_directory.h"
#include "base/files.h"
#include "data/corpus_reader.h"
#include "support/expect_error.h"
#include "support/train_tiny.h"

namespace hmtc {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class Refit : public testing::Test {
 protected:
  /// Each document has a word of its own, so that the vocabulary tells which ones were read.
  Refit() {
    data_.write("hierarchy.tsv", five_labels());
    std::string lines;
    for (int i = 0; i < kDocuments; ++i) {
      lines += R"({"tokens": [)" + std::string(i % 2 == 0 ? R"("sweet", "red")" : R"("steel")") +
               R"(, "word)" + std::to_string(i) + R"("], "labels": [)" +
               (i % 2 == 0 ? R"("apple")" : R"("hammer")") + "]}\n";
    }
    data_.write("train.jsonl", lines);
  }

  static Config training(bool refit) {
    Config config = tiny_training();
    config.encoder.dropout = 0.3;
    config.train.average = 0.9;
    config.train.refit = refit;
    config.fusion.wide = true;
    config.fusion.calibrate = true;
    config.linear.strengths = {1, 4};
    return config;
  }

  TrainResult train_model(const Config& config, const std::string& name, bool resume = false) {
    return train_tiny(data_.path(), out(name), config, observer_, resume);
  }
  std::filesystem::path out(const std::string& name) const { return models_.path() / name; }
  std::map<std::string, StoredTensor> tensors(const std::string& name) const {
    return load_model(out(name)).tensors.tensors;
  }
  /// Lines of run/metrics.jsonl.
  auto num_metrics(const std::string& name) const {
    const std::string lines = read_file(out(name) / "run" / "metrics.jsonl");
    return std::count(lines.begin(), lines.end(), '\n');
  }
  /// Beside the two special ones.
  std::size_t words_of(const std::string& name) const {
    return load_model(out(name)).vocabulary.size() - Vocabulary::kNumSpecial;
  }

  /// The steps that begin a refit, or a further member.
  static std::vector<std::size_t> new_beginnings(const std::vector<StepProgress>& steps) {
    const auto place = [&](std::size_t i) { return std::pair(steps[i].epoch, steps[i].batch); };
    std::vector<std::size_t> found;
    for (std::size_t i = 1; i < steps.size(); ++i) {
      if (place(i) <= place(i - 1)) found.push_back(i);
    }
    return found;
  }

  static constexpr int kDocuments = 20;
  static constexpr std::size_t kHeldOut = 3;
  static constexpr std::size_t kWords = kDocuments + 3;  // and sweet, red, steel
  TemporaryDirectory data_, models_;
  RecordingObserver observer_;
};

TEST_F(Refit, TheModelKnowsTheWordsOfAllDocumentsAndKeepsWhatValidationChose) {
  const TrainResult chosen = train_model(training(false), "chosen");
  const std::size_t steps = observer_.steps.size();
  const std::size_t validations = observer_.validations.size();
  EXPECT_THAT(observer_.messages, Not(Contains(HasSubstr("refit"))));
  const TrainResult refitted = train_model(training(true), "refitted");
  EXPECT_EQ(words_of("chosen"), kWords - kHeldOut);
  EXPECT_EQ(words_of("refitted"), kWords);
  EXPECT_EQ(refitted.best_score, chosen.best_score);
  EXPECT_EQ(observer_.validations.size(), 2 * validations);  // none of the refit
  EXPECT_GT(observer_.steps.size(), 2 * steps);
  EXPECT_THAT(observer_.messages, Contains(HasSubstr("epochs over all 20 documents")));
  const auto before = tensors("chosen"), after = tensors("refitted");
  for (const char* name : {"fusion.weight", "fusion.shift", "thresholds.per_label"}) {
    EXPECT_EQ(after.at(name).bytes, before.at(name).bytes) << name;
  }
}

TEST_F(Refit, ItIsTheTrainingOnAllDocumentsForAsLongAsWasBest) {
  train_model(training(true), "refitted");
  double best_epoch = 0;
  for (const ValidationReport& report : observer_.validations) {
    if (report.is_best) best_epoch = report.epoch;
  }
  data_.write("val.jsonl", read_file(data_.path() / "train.jsonl"));
  Config config = training(false);
  config.train.epochs = static_cast<std::int64_t>(best_epoch);
  config.train.validate_steps = 1'000'000;  // at the end alone, so that nothing earlier is kept
  train_model(config, "all");
  const auto expected = tensors("all"), found = tensors("refitted");
  EXPECT_EQ(found.at("level_1.labels").bytes, expected.at("level_1.labels").bytes);
  EXPECT_EQ(found.at("encoder.embedding.weight").bytes,
            expected.at("encoder.embedding.weight").bytes);
}

TEST_F(Refit, AGivenValidationSplitIsLeftAlone) {
  data_.write("val.jsonl", eight_documents());
  train_model(training(false), "chosen");
  train_model(training(true), "refitted");
  EXPECT_EQ(weights_of(out("refitted")), weights_of(out("chosen")));
}

TEST_F(Refit, InterruptedAtAnyStepItEndsWithTheSameBytes) {
  Config config = training(true);
  config.train.members = 2;
  train_model(config, "whole");
  const std::vector<StepProgress> steps = observer_.steps;
  for (const std::size_t step : new_beginnings(steps)) {
    for (const std::size_t stop : {step - 1, step, step + 1, step + 7}) {
      const std::string name = "after" + std::to_string(stop);
      RecordingObserver observer;
      observer.pause_after = stop;
      EXPECT_EQ(train_tiny(data_.path(), out(name), config, observer).outcome,
                TrainOutcome::kInterrupted);
      EXPECT_EQ(train_model(config, name, /*resume=*/true).outcome, TrainOutcome::kFinished);
      EXPECT_EQ(weights_of(out(name)), weights_of(out("whole"))) << name;
      EXPECT_EQ(num_metrics(name), num_metrics("whole")) << name;
    }
  }
  EXPECT_THAT(observer_.messages, Contains(HasSubstr("resumed: member 2, refit, epoch")));
}

TEST_F(Refit, ARunThatDiedInItGoesOnFromItsLastCheckpoint) {
  Config config = training(true);
  config.train.checkpoint_minutes = 0;
  train_model(config, "whole");
  RecordingObserver observer;
  observer.throw_after = observer_.steps.size() - 1;
  EXPECT_THROW(train_tiny(data_.path(), out("died"), config, observer), Death);
  train_model(config, "died", /*resume=*/true);
  EXPECT_THAT(observer_.messages, Contains(HasSubstr("resumed: refit, epoch")));
  EXPECT_EQ(weights_of(out("died")), weights_of(out("whole")));
}

TEST_F(Refit, OtherWordsInTheDocumentsHeldOutAreRefused) {
  Config config = training(true);
  config.text.min_count = 2;  // the word of a single document is unknown
  config.train.members = 2;
  train_model(config, "whole");
  const auto pause_after = [&](std::size_t steps, const std::string& name) {
    RecordingObserver observer;
    observer.pause_after = steps;
    train_tiny(data_.path(), out(name), config, observer);
  };
  const std::vector<std::size_t> changes = new_beginnings(observer_.steps);
  ASSERT_EQ(changes.size(), 3U);
  pause_after(changes[0] + 2, "refit");
  pause_after(changes[1] + 2, "second");
  const std::string file = (data_.path() / "train.jsonl").string();
  const std::vector<bool> is_held_out = hold_out(file, kHeldOutShare, 0).is_held_out;
  const auto word_of_first = [&](bool held_out) {
    const auto found = std::find(is_held_out.begin(), is_held_out.end(), held_out);
    return "\"word" + std::to_string(found - is_held_out.begin()) + "\"";
  };
  std::string lines = read_file(file);
  const std::string word = word_of_first(true);
  lines.replace(lines.find(word), word.size(), word_of_first(false));
  data_.write("train.jsonl", lines);
  train_model(config, "whole", /*resume=*/true);  // whose run was finished: it is made anew
  EXPECT_THAT(observer_.messages, Contains(HasSubstr("will replace the one there")));
  for (const char* name : {"refit", "second"}) {
    expect_error(ErrorKind::kUsage, {"train.jsonl", "changed", "--restart"},
                 [&] { train_model(config, name, /*resume=*/true); });
  }
}

TEST_F(Refit, TheLinearModelIsThatOfAllDocumentsWithTheChosenStrength) {
  Config config = training(true);
  config.model.name = "linear";
  config.fusion = {};
  train_model(config, "refitted");
  EXPECT_EQ(words_of("refitted"), kWords);
  data_.write("val.jsonl", read_file(data_.path() / "train.jsonl"));
  const auto found = tensors("refitted");
  std::size_t same = 0;
  for (const double strength : {1.0, 4.0}) {
    config.linear.strengths = {strength};
    const std::string name = "all" + std::to_string(strength);
    train_model(config, name);
    same += tensors(name).at("linear.weight").bytes == found.at("linear.weight").bytes ? 1 : 0;
  }
  EXPECT_EQ(same, 1U);
}

}  // namespace
}  // namespace hmtc
