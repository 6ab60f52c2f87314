#include "train/train.h"

#include <gtest/gtest.h>

#include "network/model_names.h"
#include "support/expect_error.h"
#include "support/tiny_data.h"

namespace hmtc {
namespace {

TEST(Train, ANetworkIsRefusedWhereNothingTrainsNetworks) {
  TemporaryDirectory data, models;
  write_tiny_data(data);
  RecordingObserver observer;
  for (const std::string& name : neural_model_names()) {
    Config config = tiny_training();
    config.model.name = name;
    const TrainRequest request =
        tiny_request(data.path(), models.path() / "model", config, observer);
    expect_error(ErrorKind::kUsage, {name, "hmtc-trainer", "linear"}, [&] { train(request); });
  }
  EXPECT_FALSE(std::filesystem::exists(models.path() / "model"));
}

TEST(Train, AnUnknownModelIsRefusedAsSuchAlsoWhereNothingTrainsNetworks) {
  TemporaryDirectory models;
  Config config = tiny_training();
  config.model.name = "la-hnc";
  RecordingObserver observer;
  expect_error(ErrorKind::kUsage, {"unknown model", "la-hnc"},
               [&] { train(tiny_request("nowhere", models.path() / "model", config, observer)); });
}

TEST(StopToken, WishesForNothingAtFirstAndThenForTheLast) {
  StopToken stop;
  EXPECT_EQ(stop.wish(), StopToken::Wish::kNone);
  EXPECT_FALSE(stop.is_set());
  stop.pause();
  EXPECT_EQ(stop.wish(), StopToken::Wish::kPause);
  stop.finish();
  EXPECT_EQ(stop.wish(), StopToken::Wish::kFinish);
  EXPECT_TRUE(stop.is_set());
}

TEST(Wish, WithoutTokenAndTimeThereIsNone) {
  const TrainRequest request;
  EXPECT_EQ(wish_of(request, 1e9), StopToken::Wish::kNone);
}

TEST(Wish, AfterItsMinutesARunIsToFinish) {
  TrainRequest request;
  request.minutes = 1.5;
  EXPECT_EQ(wish_of(request, 89.9), StopToken::Wish::kNone);
  EXPECT_EQ(wish_of(request, 90), StopToken::Wish::kFinish);
}

TEST(Wish, WhatIsAskedForFromOutsideGoesBeforeTheTime) {
  StopToken stop;
  TrainRequest request;
  request.minutes = 1;
  request.stop = &stop;
  EXPECT_EQ(wish_of(request, 61), StopToken::Wish::kFinish);
  stop.pause();
  EXPECT_EQ(wish_of(request, 61), StopToken::Wish::kPause);
  stop.finish();
  EXPECT_EQ(wish_of(request, 0), StopToken::Wish::kFinish);
}

}  // namespace
}  // namespace hmtc
