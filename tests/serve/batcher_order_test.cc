#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "serve/batcher.h"
#include "serve/batcher_fixture.h"

namespace hmtc {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

class BatcherOrderTest : public BatcherFixture {};

TEST_F(BatcherOrderTest, ALoneRequestLeavesAtOnce) {
  options_.at_once = 2;
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
  EXPECT_THAT(model_->batches(), ElementsAre(Ids{"busy"}, Ids{"3", "1", "2"}));
  EXPECT_EQ(batcher.num_requests(), 0U);
}

TEST_F(BatcherOrderTest, EveryThreadHasAnEvenShare) {
  options_.at_once = 3;
  Batcher batcher(options_, metrics_);
  model_->gate.close();
  auto all = queued(batcher, documents({"1", "2", "3", "4", "5", "6", "7"}), call());
  model_->gate.wait_for_arrivals(3);
  EXPECT_EQ(batcher.num_waiting_documents(), 0U);
  model_->gate.open();
  EXPECT_EQ(all.get().size(), 7U);
  EXPECT_THAT(model_->batches(),
              UnorderedElementsAre(Ids{"1", "2", "3"}, Ids{"4", "5"}, Ids{"6", "7"}));
}

TEST_F(BatcherOrderTest, AThreadThatIsFreeDoesNotTakeTheShareOfThoseThatAreNot) {
  options_.at_once = 2;
  Batcher batcher(options_, metrics_);
  auto busy = keep_busy(batcher);
  auto next = queued(batcher, documents({"1", "2", "3", "4", "5"}), call());
  model_->gate.wait_for_arrivals(2);
  EXPECT_EQ(batcher.num_waiting_documents(), 2U);
  model_->gate.open();
  busy.get();
  next.get();
  EXPECT_THAT(model_->batches(), testing::Contains(Ids{"1", "2", "3"}));
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

TEST_F(BatcherOrderTest, WhatIsLeftOfALargeRequestWaitsBehindTheOthers) {
  options_.documents = 2;
  Batcher batcher(options_, metrics_);
  const auto other = std::make_shared<FakeServedModel>("other");
  other->gate.close();
  auto busy = keep_busy(batcher);
  auto large = queued(batcher, documents({"1", "2", "3", "4"}), call());
  auto small = queued(batcher, documents({"5"}), call(other));
  model_->gate.open();
  other->gate.wait_for_arrivals(1);
  EXPECT_THAT(model_->batches(), ElementsAre(Ids{"busy"}, Ids{"1", "2"}));
  other->gate.open();
  for (auto* each : {&busy, &large, &small}) each->get();
  EXPECT_THAT(model_->batches(), ElementsAre(Ids{"busy"}, Ids{"1", "2"}, Ids{"3", "4"}));
}

TEST_F(BatcherOrderTest, ALargeRequestHasAPlaceBesideManySmallOnes) {
  options_.documents = 2;
  Batcher batcher(options_, metrics_);
  auto busy = keep_busy(batcher);
  auto large = queued(batcher, documents({"1", "2", "3"}), call());
  std::vector<std::future<Ids>> small;
  for (const char* id : {"4", "5", "6"}) small.push_back(queued(batcher, documents({id}), call()));
  model_->gate.open();
  busy.get();
  large.get();
  for (auto& each : small) each.get();
  EXPECT_THAT(model_->batches(),
              ElementsAre(Ids{"busy"}, Ids{"4", "1"}, Ids{"5", "6"}, Ids{"2", "3"}));
}

TEST_F(BatcherOrderTest, ExplanationsDoNotKeepAllThreads) {
  options_.at_once = 2;
  Batcher batcher(options_, metrics_);
  const auto other = std::make_shared<FakeServedModel>("other");
  const Document document{"1", "a text", std::nullopt, {}};
  const auto explain = [&] { return batcher.explain(call(), document, {}); };
  model_->gate.close();
  auto first = std::async(std::launch::async, explain);
  model_->gate.wait_for_arrivals(1);
  auto second = std::async(std::launch::async, explain);
  while (batcher.num_requests() < 2) std::this_thread::yield();
  EXPECT_EQ(batcher.predict(call(other), documents({"2"}), {}).size(), 1U);
  EXPECT_EQ(batcher.num_requests(), 2U);
  model_->gate.open();
  first.get();
  second.get();
}

/// Two threads. One has a batch of three documents, the other is free; one document waits.
class BatchThatWouldBeSmall : public BatcherFixture {
 protected:
  void SetUp() override {
    options_.at_once = 2;
    options_.window = std::chrono::seconds(10);
  }

  void begin(Batcher& batcher, std::chrono::milliseconds deadline = std::chrono::seconds(20)) {
    const auto first = std::make_shared<FakeServedModel>();
    const auto second = std::make_shared<FakeServedModel>();
    auto busy = keep_busy(batcher, first);
    auto also_busy = keep_busy(batcher, second);
    model_->gate.close();
    requests_.push_back(queued(batcher, documents({"1", "2"}), call(deadline)));
    requests_.push_back(queued(batcher, documents({"3", "4"}), call(2 * deadline)));
    first->gate.open();
    busy.get();
    model_->gate.wait_for_arrivals(1);
    second->gate.open();
    also_busy.get();
  }
  void end() {
    model_->gate.open();
    for (auto& each : requests_) each.get();
  }

  std::vector<std::future<Ids>> requests_;
};

TEST_F(BatchThatWouldBeSmall, WaitsForCompany) {
  Batcher batcher(options_, metrics_);
  begin(batcher);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(batcher.num_waiting_documents(), 1U);
  requests_.push_back(queued(batcher, documents({"5"}), call()));
  model_->gate.wait_for_arrivals(2);
  end();
  EXPECT_THAT(model_->batches(), UnorderedElementsAre(Ids{"1", "3", "4"}, Ids{"2", "5"}));
}

TEST_F(BatchThatWouldBeSmall, DoesNotWaitLongerThanTheWindow) {
  options_.window = std::chrono::milliseconds(20);
  Batcher batcher(options_, metrics_);
  begin(batcher);
  model_->gate.wait_for_arrivals(2);
  end();
  EXPECT_THAT(model_->batches(), UnorderedElementsAre(Ids{"1", "3", "4"}, Ids{"2"}));
}

TEST_F(BatchThatWouldBeSmall, LeavesWhenNobodyElseIsThere) {
  Batcher batcher(options_, metrics_);
  begin(batcher, std::chrono::milliseconds(700));
  // The document that waits goes with the first request.
  for (auto& each : requests_) EXPECT_NE(status_of([&] { each.get(); }), 200);
  const auto start = Clock::now();
  const auto other = std::make_shared<FakeServedModel>("other");
  EXPECT_EQ(batcher.predict(call(other), documents({"5"}), {}).size(), 1U);
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(5));
  model_->gate.open();
}

TEST_F(BatcherOrderTest, ALargeRequestDoesNotWaitForItself) {
  options_.at_once = 2;
  options_.window = std::chrono::seconds(10);
  options_.documents = 3;
  Batcher batcher(options_, metrics_);
  const auto start = Clock::now();
  EXPECT_EQ(batcher.predict(call(), documents({"1", "2", "3", "4", "5", "6", "7"}), {}).size(), 7U);
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(5));
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
  // 4 places for two requests: 2 for each, of which the small one leaves over 1.
  EXPECT_THAT(model_->batches(),
              ElementsAre(Ids{"busy"}, Ids{"7", "1", "2", "3"}, Ids{"4", "5", "6"}));
}

TEST_F(BatcherOrderTest, ModelsAreNotMixed) {
  Batcher batcher(options_, metrics_);
  const auto other = std::make_shared<FakeServedModel>("other");
  auto busy = keep_busy(batcher);
  auto first = queued(batcher, documents({"1"}), call());
  auto second = queued(batcher, documents({"2"}), call(other));
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
