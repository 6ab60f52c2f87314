#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "artifact/model_directory.h"
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
      train(tiny_request(data.path(), models.path() / "linear", linear_training(), observer));
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
  train(tiny_request(data.path(), models.path() / "first", linear_training(), observer));
  train(tiny_request(data.path(), models.path() / "second", linear_training(), observer));
  EXPECT_EQ(weights_of(models.path() / "first"), weights_of(models.path() / "second"));
}

TEST(LinearTraining, WordPairsAreFoundStoredAndUsed) {
  TemporaryDirectory data, models;
  write_ordered_data(data);
  Config config = linear_training();
  config.linear.word_pairs = 0;
  RecordingObserver observer;
  const TrainResult words =
      train(tiny_request(data.path(), models.path() / "words", config, observer));
  config.linear.word_pairs = 100;
  const TrainResult pairs =
      train(tiny_request(data.path(), models.path() / "pairs", config, observer));
  EXPECT_LT(words.best_score, 0.9);
  EXPECT_GT(pairs.best_score, 0.99);
  EXPECT_THAT(observer.messages,
              testing::Contains(testing::HasSubstr("features: 2 words and 2 word pairs")));
  LoadedModel model = load_for_prediction(models.path() / "pairs", 2);
  const Evaluation found = evaluate(model, (data.path() / "val.jsonl").string(), {});
  EXPECT_NEAR(found.reports[0].report.areas.micro, pairs.best_score, 1e-6);
}

TEST(LinearTraining, TokensAndFewTextsHaveNoPairsAndManyTextsHave) {
  TemporaryDirectory data, models;
  write_tiny_data(data);
  RecordingObserver observer;
  train(tiny_request(data.path(), models.path() / "tokens", linear_training(), observer));
  const ModelParts tokens = load_model(models.path() / "tokens");
  EXPECT_EQ(tokens.config.linear.word_pairs, 0);
  EXPECT_EQ(tokens.tensors.tensors.count("linear.pairs"), 0U);

  write_ordered_data(data, 2999);
  train(tiny_request(data.path(), models.path() / "few", linear_training(), observer));
  EXPECT_EQ(load_model(models.path() / "few").config.linear.word_pairs, 0);

  write_ordered_data(data, 3000);
  train(tiny_request(data.path(), models.path() / "texts", linear_training(), observer));
  const ModelParts texts = load_model(models.path() / "texts");
  EXPECT_EQ(texts.config.linear.word_pairs, 100'000);
  EXPECT_EQ(texts.tensors.tensors.at("linear.pairs").shape, (std::vector<std::int64_t>{2, 2}));
}

TEST(LinearTraining, WithVeryManyLabelsThereAreFewerPairs) {
  TemporaryDirectory data, models;
  write_ordered_data(data, 3000);
  std::string labels = five_labels();
  for (int i = 5; i < 2000; ++i) labels += "label_" + std::to_string(i) + "\t\n";
  data.write("hierarchy.tsv", labels);
  RecordingObserver observer;
  train(tiny_request(data.path(), models.path() / "many", linear_training(), observer));
  // 100,000,000 weights / 2,000 labels - 4 words, the special ones among them
  EXPECT_EQ(load_model(models.path() / "many").config.linear.word_pairs, 49'996);
}

TEST(LinearTraining, AskedToFinishItIsTheBestOfTheStrengthsThatWereTried) {
  TemporaryDirectory data, models;
  write_tiny_data(data);
  RecordingObserver asked, timed, whole, resumed;
  Config one_strength = linear_training();
  one_strength.linear.strengths = {1};
  train(tiny_request(data.path(), models.path() / "one", one_strength, whole));

  asked.stop.finish();
  EXPECT_EQ(
      train(tiny_request(data.path(), models.path() / "asked", linear_training(), asked)).outcome,
      TrainOutcome::kFinished);
  EXPECT_EQ(weights_of(models.path() / "asked"), weights_of(models.path() / "one"));

  TrainRequest request =
      tiny_request(data.path(), models.path() / "timed", linear_training(), timed);
  request.minutes = 1e-9;
  EXPECT_EQ(train(request).outcome, TrainOutcome::kFinished);
  EXPECT_EQ(weights_of(models.path() / "timed"), weights_of(models.path() / "one"));

  // It is not taken for the whole run.
  train(tiny_request(data.path(), models.path() / "asked", linear_training(), resumed, true));
  EXPECT_THAT(resumed.messages, testing::Contains(testing::HasSubstr("strength 64:")));
}

TEST(LinearTraining, PausedItLeavesWhatWasThereAndIsDoneAnew) {
  TemporaryDirectory data, models;
  write_tiny_data(data);
  RecordingObserver paused, first, again;
  paused.stop.pause();
  const auto out = models.path() / "model";
  EXPECT_EQ(train(tiny_request(data.path(), out, linear_training(), paused)).outcome,
            TrainOutcome::kInterrupted);
  EXPECT_FALSE(std::filesystem::exists(out / "manifest.json"));

  Config other = linear_training();
  other.linear.strengths = {4};
  train(tiny_request(data.path(), out, other, first));
  const std::string before = weights_of(out);
  EXPECT_EQ(train(tiny_request(data.path(), out, linear_training(), paused)).outcome,
            TrainOutcome::kInterrupted);
  EXPECT_EQ(weights_of(out), before);
  // The model that is there is not taken for that of the paused run.
  train(tiny_request(data.path(), out, linear_training(), again, /*resume=*/true));
  EXPECT_THAT(again.messages, testing::Contains(testing::HasSubstr("strength 64:")));
}

}  // namespace
}  // namespace hmtc
