#include "serve/batcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "serve/fake_served_model.h"

namespace hmtc {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Ids = std::vector<std::string>;

std::vector<Document> documents(const Ids& ids, const std::string& text = "a") {
  std::vector<Document> result;
  for (const std::string& id : ids) result.push_back({id, text, std::nullopt, {}});
  return result;
}

class BatcherTest : public testing::Test {
 protected:
  void SetUp() override { options_.at_once = 1; }

  ModelCall call(std::chrono::milliseconds deadline = std::chrono::seconds(20)) const {
    return {model_, Clock::now() + deadline, std::make_shared<std::atomic<bool>>(false)};
  }

  /// On a thread of its own, in the queue when this returns.
  std::future<Ids> queued(Batcher& batcher, std::vector<Document> all, const ModelCall& call) {
    const std::size_t before = batcher.num_requests();
    auto result = std::async(std::launch::async, [&batcher, call, all = std::move(all)] {
      return batcher.predict(call, all, {});
    });
    while (batcher.num_requests() == before) std::this_thread::yield();
    return result;
  }

  /// Keeps the model busy with the document "busy" until the gate is opened.
  std::future<Ids> keep_busy(Batcher& batcher) {
    model_->gate.close();
    auto busy = queued(batcher, documents({"busy"}), call());
    model_->gate.wait_for_arrivals(1);
    return busy;
  }

  static int status_of(const std::function<void()>& action) {
    try {
      action();
      return 200;
    } catch (const HttpError& error) {
      return error.status();
    }
  }

  std::shared_ptr<FakeServedModel> model_ = std::make_shared<FakeServedModel>();
  Metrics metrics_;
  BatchOptions options_;
};

TEST_F(BatcherTest, NoDocumentsNeedNoModel) {
  Batcher batcher(options_, metrics_);
  EXPECT_TRUE(batcher.predict(call(), {}, {}).empty());
  EXPECT_TRUE(model_->batches().empty());
}

TEST_F(BatcherTest, ALoneRequestLeavesAtOnce) {
  options_.window = std::chrono::seconds(10);
  Batcher batcher(options_, metrics_);
  const auto start = Clock::now();
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(batcher.predict(call(), documents({"1"}), {}),
                ElementsAre(R"({"id":"1","labels":[{"label":"leaf","score":0.5}]})"));
  }
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(5));
}

TEST_F(BatcherTest, WhatComesWhileTheModelIsBusyGoesTogether) {
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

TEST_F(BatcherTest, AModelComputesOneBatchAtATimeUnlessTheNextIsFull) {
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

TEST_F(BatcherTest, ALargeRequestIsComputedByAllThreads) {
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

TEST_F(BatcherTest, OtherModelsAndExplanationsDoNotWaitForABatch) {
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

TEST_F(BatcherTest, AfterACrowdItWaitsForTheCrowdToComeBack) {
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

TEST_F(BatcherTest, ItDoesNotWaitForTheCrowdLongerThanTheWindow) {
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

TEST_F(BatcherTest, BatchesAreBoundedAndSharedEvenly) {
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

TEST_F(BatcherTest, ModelsAreNotMixed) {
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

TEST_F(BatcherTest, AboveTheQueueItIs429WithATimeToComeBack) {
  options_.queue_requests = 2;
  Batcher batcher(options_, metrics_);
  auto busy = keep_busy(batcher);
  auto second = queued(batcher, documents({"1"}), call());
  try {
    batcher.predict(call(), documents({"2"}), {});
    ADD_FAILURE() << "the queue was not full";
  } catch (const HttpError& error) {
    EXPECT_EQ(error.status(), 429);
    EXPECT_GE(error.retry_after_seconds(), 1);
  }
  model_->gate.open();
  busy.get();
  second.get();
  EXPECT_EQ(batcher.predict(call(), documents({"3"}), {}).size(), 1U);
}

TEST_F(BatcherTest, WaitingDocumentsAreBoundedButOneRequestAlwaysFits) {
  options_.queue_documents = 2;
  Batcher batcher(options_, metrics_);
  EXPECT_EQ(batcher.predict(call(), documents({"1", "2", "3"}), {}).size(), 3U);
  model_->gate.close();
  auto busy = queued(batcher, documents({"4"}), call());
  model_->gate.wait_for_arrivals(2);
  auto waiting = queued(batcher, documents({"5"}), call());
  EXPECT_EQ(status_of([&] { batcher.predict(call(), documents({"6", "7"}), {}); }), 429);
  model_->gate.open();
  waiting.get();
  busy.get();
}

TEST_F(BatcherTest, ARequestThatWaitsTooLongIs503AndNeverComputed) {
  Batcher batcher(options_, metrics_);
  auto busy = keep_busy(batcher);
  const auto soon = call(std::chrono::milliseconds(20));
  EXPECT_EQ(status_of([&] { batcher.predict(soon, documents({"late"}), {}); }), 503);
  EXPECT_EQ(batcher.num_waiting_documents(), 0U);
  model_->gate.open();
  busy.get();
  batcher.predict(call(), documents({"1"}), {});
  EXPECT_THAT(model_->batches(), ElementsAre(Ids{"busy"}, Ids{"1"}));
}

TEST_F(BatcherTest, AModelThatTakesTooLongIs504AndServesOn) {
  Batcher batcher(options_, metrics_);
  model_->gate.close();
  const auto soon = call(std::chrono::milliseconds(50));
  EXPECT_EQ(status_of([&] { batcher.predict(soon, documents({"1"}), {}); }), 504);
  model_->gate.open();
  EXPECT_EQ(batcher.predict(call(), documents({"2"}), {}).size(), 1U);
}

TEST_F(BatcherTest, WorkWhoseClientHasGoneIsNotDone) {
  Batcher batcher(options_, metrics_);
  auto busy = keep_busy(batcher);
  const ModelCall gone = call();
  auto unwanted = queued(batcher, documents({"unwanted"}), gone);
  auto wanted = queued(batcher, documents({"wanted"}), call());
  gone.client_gone->store(true);
  model_->gate.open();
  EXPECT_EQ(status_of([&] { unwanted.get(); }), 499);
  EXPECT_EQ(wanted.get().size(), 1U);
  EXPECT_THAT(model_->batches(), ElementsAre(Ids{"busy"}, Ids{"wanted"}));
}

TEST_F(BatcherTest, ABadDocumentFailsItsOwnRequestOnly) {
  Batcher batcher(options_, metrics_);
  auto busy = keep_busy(batcher);
  auto good = queued(batcher, documents({"1"}), call());
  auto bad = queued(batcher, documents({"2"}, "bad"), call());
  model_->gate.open();
  EXPECT_EQ(good.get().size(), 1U);
  EXPECT_THROW(bad.get(), Error);
  busy.get();
}

TEST_F(BatcherTest, AFailureEndsARequestOfSeveralBatches) {
  options_.documents = 1;
  Batcher batcher(options_, metrics_);
  EXPECT_THROW(batcher.predict(call(), documents({"1", "2", "3"}, "bad"), {}), Error);
  EXPECT_EQ(batcher.num_waiting_documents(), 0U);
  EXPECT_EQ(batcher.predict(call(), documents({"4"}), {}).size(), 1U);
}

TEST_F(BatcherTest, ExplanationsTakeTheirTurn) {
  Batcher batcher(options_, metrics_);
  const Document document{"1", "a text", std::nullopt, {}};
  EXPECT_EQ(batcher.explain(call(), document, {}), R"({"text":"a text","asked":0})");
  Document bad = document;
  bad.text = "bad";
  EXPECT_THROW(batcher.explain(call(), bad, {}), Error);
}

TEST_F(BatcherTest, ManyThreadsGetTheirOwnAnswers) {
  options_.documents = 8;
  Batcher batcher(options_, metrics_);
  std::vector<std::future<void>> clients;
  for (int client = 0; client < 16; ++client) {
    clients.push_back(std::async(std::launch::async, [&, client] {
      for (int i = 0; i < 50; ++i) {
        const std::string id = std::to_string(client) + "-" + std::to_string(i);
        const Ids answers = batcher.predict(call(), documents({id, id + "b"}), {});
        ASSERT_EQ(answers.size(), 2U);
        EXPECT_THAT(answers[0], HasSubstr("\"" + id + "\""));
        EXPECT_THAT(answers[1], HasSubstr("\"" + id + "b\""));
      }
    }));
  }
  for (auto& client : clients) client.get();
  std::size_t total = 0;
  for (const Ids& batch : model_->batches()) {
    EXPECT_LE(batch.size(), 8U);
    total += batch.size();
  }
  EXPECT_EQ(total, 16U * 50 * 2);
}

}  // namespace
}  // namespace hmtc
