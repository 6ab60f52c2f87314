#include "serve/batcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "serve/batcher_fixture.h"

namespace hmtc {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class BatcherTest : public BatcherFixture {};

TEST_F(BatcherTest, NoDocumentsNeedNoModel) {
  Batcher batcher(options_, metrics_);
  EXPECT_TRUE(batcher.predict(call(), {}, {}).empty());
  EXPECT_TRUE(model_->batches().empty());
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
  options_.at_once = 4;
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
