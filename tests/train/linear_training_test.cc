#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/evaluate.h"
#include "support/tiny_data.h"

namespace hmtc {
namespace {

Config linear_training() {
  Config config = tiny_training();
  config.model.name = "linear";
  config.linear.strengths = {1, 64};
  return config;
}

TEST(LinearTraining, LearnsEightDocumentsAndReportsEachStrength) {
  TemporaryDirectory data, models;
  write_tiny_data(data);
  RecordingObserver observer;
  const TrainResult result =
      train_tiny(data.path(), models.path() / "linear", linear_training(), observer);
  EXPECT_EQ(result.outcome, TrainOutcome::kFinished);
  EXPECT_GT(result.best_score, 0.99);
  EXPECT_THAT(observer.messages, testing::Contains(testing::HasSubstr("strength 1:")));
  EXPECT_THAT(observer.messages, testing::Contains(testing::HasSubstr("strength 64:")));

  LoadedModel model = load_for_prediction(models.path() / "linear", 1);
  const Evaluation found = evaluate(model, (data.path() / "val.jsonl").string(), {});
  ASSERT_EQ(found.reports.size(), 1U);  // neither local nor global scores
  EXPECT_EQ(found.reports[0].name, "combined");
  EXPECT_NEAR(found.reports[0].report.areas.micro, result.best_score, 1e-6);
}

TEST(LinearTraining, TwiceGivesTheSameBytes) {
  TemporaryDirectory data, models;
  write_tiny_data(data);
  RecordingObserver observer;
  train_tiny(data.path(), models.path() / "first", linear_training(), observer);
  train_tiny(data.path(), models.path() / "second", linear_training(), observer);
  EXPECT_EQ(weights_of(models.path() / "first"), weights_of(models.path() / "second"));
}

TEST(LinearTraining, WordPairsAreFoundStoredAndUsed) {
  TemporaryDirectory data, models;
  write_tiny_data(data);
  // The order alone tells the labels apart.
  std::string documents;
  for (int i = 0; i < 4; ++i) {
    documents += "{\"tokens\": [\"red\", \"green\"], \"labels\": [\"fruit\"]}\n";
    documents += "{\"tokens\": [\"green\", \"red\"], \"labels\": [\"tool\"]}\n";
  }
  data.write("train.jsonl", documents);
  data.write("val.jsonl", documents);
  Config config = linear_training();
  RecordingObserver observer;
  const TrainResult words = train_tiny(data.path(), models.path() / "words", config, observer);
  config.linear.word_pairs = 100;
  const TrainResult pairs = train_tiny(data.path(), models.path() / "pairs", config, observer);
  EXPECT_LT(words.best_score, 0.9);
  EXPECT_GT(pairs.best_score, 0.99);
  EXPECT_THAT(observer.messages,
              testing::Contains(testing::HasSubstr("features: 2 words and 2 word pairs")));
  LoadedModel model = load_for_prediction(models.path() / "pairs", 2);
  const Evaluation found = evaluate(model, (data.path() / "val.jsonl").string(), {});
  EXPECT_NEAR(found.reports[0].report.areas.micro, pairs.best_score, 1e-6);
}

}  // namespace
}  // namespace hmtc
