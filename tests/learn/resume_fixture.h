#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/train_tiny.h"

namespace hmtc {

/// Trains on the tiny data in one go, up to a step, or from there on.
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
    observer.pause_after = steps;
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
inline Config with_dropout() {
  Config config = tiny_training();
  config.encoder.dropout = 0.3;
  config.model.global_dropout = 0.3;
  return config;
}

}  // namespace hmtc
