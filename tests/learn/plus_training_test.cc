// Training with the ingredients of LA-HCN+: what it takes from the data, and that it can be
// interrupted anywhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/files.h"
#include "support/tensors.h"
#include "support/tiny_model.h"
#include "support/tiny_training.h"

namespace hmtc {
namespace {

using testing::Contains;
using testing::HasSubstr;

class PlusTraining : public TinyTraining {
 protected:
  torch::Tensor tensor(const std::string& model, const std::string& name) {
    return read_tensor(load_model(out(model)).tensors, name);
  }
};

/// With dropout, so that random numbers matter.
Config everything() {
  Config config = with_everything(tiny_training());
  config.encoder.dropout = 0.3;
  config.model.global_dropout = 0.3;
  return config;
}

TEST_F(PlusTraining, OverfitsEightDocumentsWithoutAViolation) {
  for (const char* profile : {"paper", "reference"}) {
    Config config = with_everything(tiny_training());
    config.set("model.profile", profile);
    config.train.epochs = 60;
    config.train.patience = 60;
    EXPECT_GT(train_model(config, profile).best_score, 0.99) << profile;
    LoadedModel model = load_for_prediction(out(profile), 1);
    const Evaluation found = evaluate(model, (data_.path() / "train.jsonl").string(), {});
    EXPECT_GT(found.reports[0].report.areas.micro, 0.99) << profile;
    for (const auto& part : found.reports) {
      EXPECT_EQ(part.report.violations.edges, 0U) << profile << " " << part.name;
    }
  }
}

TEST_F(PlusTraining, InterruptedAtAnyStepItEndsWithTheSameBytes) {
  for (const std::int64_t threads : {1, 3}) {
    Config config = everything();
    config.train.threads = threads;
    const std::string name = std::to_string(threads) + "_threads";
    train_model(config, name);
    for (const std::size_t steps : {1, 6}) {
      const std::string part = name + "_after_" + std::to_string(steps);
      RecordingObserver observer;
      observer.pause_after = steps;
      EXPECT_EQ(train_tiny(data_.path(), out(part), config, observer).outcome,
                TrainOutcome::kInterrupted);
      EXPECT_EQ(train_model(config, part, /*resume=*/true).outcome, TrainOutcome::kFinished);
      EXPECT_EQ(weights_of(out(part)), weights_of(out(name))) << part;
    }
  }
}

TEST_F(PlusTraining, TheRarityOfWordsIsThatOfTheTrainingTextsWhateverTheSteps) {
  Config config = tiny_training();
  config.model.rarity = true;
  config.train.average = 0.999;
  config.train.threads = 3;  // a mean over three threads would not leave every number as it is
  train_model(config, "long");
  config.train.epochs = 1;
  train_model(config, "short");
  const torch::Tensor words = tensor("long", "rarity.words");
  EXPECT_TRUE(torch::equal(tensor("short", "rarity.words"), words));
  EXPECT_EQ(words[0].item<float>(), 0);
  EXPECT_EQ(words[1].item<float>(), 0);
  // "sweet" stands in four of the eight documents, "juicy" in two: their idf differs by ln(5/3).
  const Vocabulary vocabulary = load_model(out("long")).vocabulary;
  const auto rarity = [&](const char* word) { return words[vocabulary.find(word)].item<double>(); };
  const double unit = (rarity("juicy") - rarity("sweet")) / std::log(5.0 / 3);
  EXPECT_GT(unit, 0);
  EXPECT_NEAR((rarity("heavy") - rarity("juicy")) / unit, std::log(3.0 / 2), 1e-4);
  EXPECT_FALSE(torch::equal(tensor("long", "rarity.gamma"), tensor("short", "rarity.gamma")));
}

TEST_F(PlusTraining, LabelsStartFromTheirNamesWhereTheHierarchyHasSome) {
  const std::string with_names =
      "fruit\t\tsweet and juicy\n"
      "tool\t\tsteel, heavy\n"
      "apple\tfruit\tcrisp red cider\n"
      "pear\tfruit\n"
      "hammer\ttool\tunheard-of\n";
  data_.write("hierarchy.tsv", with_names);
  Config config = tiny_training();
  config.train.epochs = 1;
  train_model(config, "plain");
  config.model.label_names = true;
  train_model(config, "names");
  EXPECT_THAT(observer_.messages, Contains(HasSubstr("label names: 3 of 5 labels")));
  EXPECT_NE(weights_of(out("names")), weights_of(out("plain")));
  EXPECT_EQ(read_file(out("names") / "hierarchy.tsv"), with_names);
}

TEST_F(PlusTraining, WithoutNamesTheSettingSaysThatItHasNoEffectAndHasNone) {
  Config config = tiny_training();
  config.train.epochs = 1;
  train_model(config, "plain");
  EXPECT_THAT(observer_.messages, testing::Not(Contains(HasSubstr("model.label_names"))));
  config.model.label_names = true;
  train_model(config, "names");
  EXPECT_THAT(observer_.messages, Contains(HasSubstr("model.label_names has no effect")));
  EXPECT_EQ(weights_of(out("names")), weights_of(out("plain")));
}

}  // namespace
}  // namespace hmtc
