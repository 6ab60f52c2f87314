#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "serve/batcher.h"
#include "serve/batcher_fixture.h"

namespace hmtc {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class BatcherOrderTest : public BatcherFixture {};

TEST_F(BatcherOrderTest, ALoneRequestLeavesAtOnce) {
  options_.window = std::chrono::seconds(10);
  Batcher batcher(options_, metrics_);
  const auto start = Clock::now();
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(batcher.predict(call(), documents({"1"}), {}),
                ElementsAre(R"({"id":"1","labels":[{"label":"leaf","score":0.5}]})"));
  }
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(5));
}

TEST_F(BatcherOrderTest, WhatComesWhileTheModelIsBusyGoesTogether) {
  Batcher batcher(options_, metrics_);
  auto busy = keep_busy(batcher);
  auto first = queued(batcher, documents({"1", "2"}), call());
  auto second = queued(batcher, documents({"3"}), call());
  EXPECT_EQ(batcher.num_requests(), 3U);
  EXPECT_EQ(batcher.num_waiting_documents(), 3U);
  model_->gate.open();
  EXPECT_EQ(first.get().size(), 2U);
  EXPECT_THAT(second.get(), ElementsAre(HasSubstr(R"("id":"3")")));
  busy.get();
  EXPECT_THAT(model_->batches(), ElementsAre(Ids{"busy"}, Ids{"1", "2", "3"}));
  EXPECT_EQ(batcher.num_requests(), 0U);
}

TEST_F(BatcherOrderTest, AModelComputesOneBatchAtATimeUnlessTheNextIsFull) {
  options_.at_once = 2;
  options_.documents = 2;
  Batcher batcher(options_, metrics_);
  auto busy = keep_busy(batcher);
  auto first = queued(batcher, documents({"1"}), call());
  EXPECT_EQ(first.wait_for(std::chrono::milliseconds(20)), std::future_status::timeout);
  EXPECT_EQ(batcher.num_waiting_documents(), 1U);
  auto second = queued(batcher, documents({"2"}), call());
  model_->gate.wait_for_arrivals(2);
  auto third = queued(batcher, documents({"3"}), call());
  EXPECT_EQ(batcher.num_waiting_documents(), 1U);
  model_->gate.open();
  for (auto* each : {&busy, &first, &second, &third}) EXPECT_EQ(each->get().size(), 1U);
  EXPECT_THAT(model_->batches(), testing::Contains(Ids{"1", "2"}));
}

TEST_F(BatcherOrderTest, ALargeRequestIsComputedByAllThreads) {
  options_.at_once = 2;
  options_.documents = 2;
  Batcher batcher(options_, metrics_);
  model_->gate.close();
  auto large = queued(batcher, documents({"1", "2", "3", "4", "5"}), call());
  model_->gate.wait_for_arrivals(2);
  EXPECT_EQ(batcher.num_waiting_documents(), 1U);
  model_->gate.open();
  EXPECT_EQ(large.get().size(), 5U);
}

TEST_F(BatcherOrderTest, OtherModelsAndExplanationsDoNotWaitForABatch) {
  options_.at_once = 2;
  Batcher batcher(options_, metrics_);
  auto busy = keep_busy(batcher);
  auto waiting = queued(batcher, documents({"1"}), call());
  ModelCall other_call = call();
  other_call.model = std::make_shared<FakeServedModel>("other");
  EXPECT_THAT(batcher.predict(other_call, documents({"2"}), {}), ElementsAre(HasSubstr("other")));
  const Document document{"3", "a text", std::nullopt, {}};
  EXPECT_THAT(batcher.explain(other_call, document, {}), HasSubstr("a text"));
  EXPECT_EQ(batcher.num_waiting_documents(), 1U);
  model_->gate.open();
  busy.get();
  waiting.get();
}

TEST_F(BatcherOrderTest, AfterACrowdItWaitsForTheCrowdToComeBack) {
  options_.window = std::chrono::seconds(10);
  Batcher batcher(options_, metrics_);
  auto busy = keep_busy(batcher);
  auto first = queued(batcher, documents({"1"}), call());
  auto second = queued(batcher, documents({"2"}), call());
  model_->gate.open();
  for (auto* each : {&busy, &first, &second}) each->get();
  // The batch before held two documents: it leaves when there are two again.
  auto third = queued(batcher, documents({"3"}), call());
  EXPECT_EQ(third.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  batcher.predict(call(), documents({"4"}), {});
  third.get();
  EXPECT_THAT(model_->batches(), ElementsAre(Ids{"busy"}, Ids{"1", "2"}, Ids{"3", "4"}));
}

TEST_F(BatcherOrderTest, TheNextBatchHasThoseThatWaitedAndThoseThatComeBack) {
  options_.window = std::chrono::seconds(10);
  Batcher batcher(options_, metrics_);
  auto busy = keep_busy(batcher);
  auto first = queued(batcher, documents({"1"}), call());
  model_->gate.open();
  busy.get();
  // One waited, one was answered: two are likely to be there.
  EXPECT_EQ(first.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  batcher.predict(call(), documents({"2"}), {});
  first.get();
  EXPECT_THAT(model_->batches(), ElementsAre(Ids{"busy"}, Ids{"1", "2"}));
}

TEST_F(BatcherOrderTest, ALargeRequestDoesNotWaitForItself) {
  options_.window = std::chrono::seconds(10);
  options_.documents = 2;
  Batcher batcher(options_, metrics_);
  const auto start = Clock::now();
  EXPECT_EQ(batcher.predict(call(), documents({"1", "2", "3"}), {}).size(), 3U);
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(5));
}

TEST_F(BatcherOrderTest, ItDoesNotWaitForTheCrowdLongerThanTheWindow) {
  options_.window = std::chrono::milliseconds(20);
  Batcher batcher(options_, metrics_);
  auto busy = keep_busy(batcher);
  auto first = queued(batcher, documents({"1"}), call());
  auto second = queued(batcher, documents({"2"}), call());
  model_->gate.open();
  first.get();
  second.get();
  batcher.predict(call(), documents({"3"}), {});
  EXPECT_EQ(model_->batches().size(), 3U);
}

TEST_F(BatcherOrderTest, BatchesAreBoundedAndSharedEvenly) {
  options_.documents = 4;
  Batcher batcher(options_, metrics_);
  auto busy = keep_busy(batcher);
  auto large = queued(batcher, documents({"1", "2", "3", "4", "5", "6"}), call());
  auto small = queued(batcher, documents({"7"}), call());
  model_->gate.open();
  const Ids answers = large.get();
  ASSERT_EQ(answers.size(), 6U);
  for (int i = 0; i < 6; ++i) {
    EXPECT_THAT(answers[static_cast<std::size_t>(i)],
                HasSubstr("\"id\":\"" + std::to_string(i + 1) + "\""));
  }
  small.get();
  // 4 places for two requests: 2 for the first, the second needs only 1 of its own.
  EXPECT_THAT(model_->batches(),
              ElementsAre(Ids{"busy"}, Ids{"1", "2", "7"}, Ids{"3", "4", "5", "6"}));
}

TEST_F(BatcherOrderTest, ModelsAreNotMixed) {
  Batcher batcher(options_, metrics_);
  auto other = std::make_shared<FakeServedModel>("other");
  ModelCall other_call = call();
  other_call.model = other;
  auto busy = keep_busy(batcher);
  auto first = queued(batcher, documents({"1"}), call());
  auto second = queued(batcher, documents({"2"}), other_call);
  auto third = queued(batcher, documents({"3"}), call());
  model_->gate.open();
  EXPECT_THAT(second.get(), ElementsAre(HasSubstr("other")));
  EXPECT_THAT(third.get(), ElementsAre(HasSubstr("leaf")));
  first.get();
  EXPECT_THAT(model_->batches(), ElementsAre(Ids{"busy"}, Ids{"1", "3"}));
  EXPECT_THAT(other->batches(), ElementsAre(Ids{"2"}));
}

}  // namespace
}  // namespace hmtc
