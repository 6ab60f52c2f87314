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

}  // namespace
}  // namespace hmtc
