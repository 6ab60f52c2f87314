#include "train/progress_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace hmtc {
namespace {

class Listener : public TrainObserver {
 public:
  void on_begin() override { ++begins; }
  void on_message(const std::string& message) override { messages.push_back(message); }
  void on_step(const StepProgress& progress) override { steps.push_back(progress); }
  void on_validation(const ValidationReport& report) override { validations.push_back(report); }

  int begins = 0;
  std::vector<std::string> messages;
  std::vector<StepProgress> steps;
  std::vector<ValidationReport> validations;
};

/// One end of the lines and the other.
class ProgressLinesTest : public testing::Test {
 protected:
  Listener listener_;
  ProgressReader reader_{listener_};
  int begins_ = 0;
  ProgressLines lines_{[this] { ++begins_; },
                       [this](const std::string& line) {
                         ASSERT_TRUE(line.ends_with("\n"));
                         reader_.read(line.substr(0, line.size() - 1));
                       }};
};

TEST_F(ProgressLinesTest, WhatOneEndHearsTheOtherTells) {
  EXPECT_FALSE(reader_.has_begun());
  lines_.on_begin();
  EXPECT_EQ(begins_, 1);
  EXPECT_EQ(listener_.begins, 1);
  EXPECT_TRUE(reader_.has_begun());
  lines_.on_message("a \"quoted\"\nmessage");
  EXPECT_THAT(listener_.messages, testing::ElementsAre("a \"quoted\"\nmessage"));
  lines_.on_validation({.member = 1,
                        .step = 20,
                        .epoch = 2.5,
                        .loss = 0.25,
                        .score = 0.75,
                        .best_score = 0.8,
                        .is_best = true,
                        .learning_rate = 0.001,
                        .documents_per_second = 100,
                        .seconds_left = 3});
  ASSERT_EQ(listener_.validations.size(), 1U);
  const ValidationReport& report = listener_.validations[0];
  EXPECT_EQ(report.member, 1);
  EXPECT_EQ(report.step, 20);
  EXPECT_EQ(report.epoch, 2.5);
  EXPECT_EQ(report.loss, 0.25);
  EXPECT_EQ(report.score, 0.75);
  EXPECT_EQ(report.best_score, 0.8);
  EXPECT_TRUE(report.is_best);
  EXPECT_EQ(report.learning_rate, 0.001);
  EXPECT_EQ(report.documents_per_second, 100);
  EXPECT_EQ(report.seconds_left, 3);
}

TEST_F(ProgressLinesTest, StepsComeAtMostFiveTimesASecond) {
  for (int batch = 1; batch <= 1000; ++batch) {
    lines_.on_step({.epoch = 2,
                    .epochs = 3,
                    .batch = batch,
                    .batches = 1000,
                    .loss = 0.5,
                    .documents_per_second = 10,
                    .seconds_left = 7});
  }
  ASSERT_EQ(listener_.steps.size(), 1U);  // a thousand of them took less than a fifth of a second
  EXPECT_EQ(listener_.steps[0].epoch, 2);
  EXPECT_EQ(listener_.steps[0].epochs, 3);
  EXPECT_EQ(listener_.steps[0].batch, 1);
  EXPECT_EQ(listener_.steps[0].batches, 1000);
  EXPECT_EQ(listener_.steps[0].loss, 0.5);
  EXPECT_EQ(listener_.steps[0].documents_per_second, 10);
  EXPECT_EQ(listener_.steps[0].seconds_left, 7);
}

TEST_F(ProgressLinesTest, WhatIsUndefinedStaysUndefined) {
  lines_.on_validation({.score = std::nan("")});
  EXPECT_TRUE(std::isnan(listener_.validations.at(0).score));
}

TEST_F(ProgressLinesTest, TheEndSaysHowItEnded) {
  EXPECT_FALSE(reader_.result());
  lines_.on_end({TrainOutcome::kInterrupted, 0.5});
  ASSERT_TRUE(reader_.result());
  EXPECT_EQ(reader_.result()->outcome, TrainOutcome::kInterrupted);
  EXPECT_EQ(reader_.result()->best_score, 0.5);
}

TEST_F(ProgressLinesTest, OtherTextIsKept) {
  reader_.read("hmtc: something is wrong");
  reader_.read("[1, 2]");
  EXPECT_EQ(reader_.other_text(), "hmtc: something is wrong\n[1, 2]\n");
  EXPECT_TRUE(listener_.messages.empty());
}

}  // namespace
}  // namespace hmtc
