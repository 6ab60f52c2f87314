#pragma once

#include <gtest/gtest.h>

#include <future>

#include "serve/batcher.h"
#include "serve/fake_served_model.h"

namespace hmtc {

/// A batcher's surroundings: a model that can be kept busy, and requests on threads of their own.
class BatcherFixture : public testing::Test {
 protected:
  using Ids = std::vector<std::string>;

  static std::vector<Document> documents(const Ids& ids, const std::string& text = "a") {
    std::vector<Document> result;
    for (const std::string& id : ids) result.push_back({id, text, std::nullopt, {}});
    return result;
  }

  void SetUp() override { options_.at_once = 1; }

  ModelCall call(std::chrono::milliseconds deadline = std::chrono::seconds(20)) const {
    return call(model_, deadline);
  }
  static ModelCall call(std::shared_ptr<FakeServedModel> model,
                        std::chrono::milliseconds deadline = std::chrono::seconds(20)) {
    return {std::move(model), Clock::now() + deadline, std::make_shared<std::atomic<bool>>(false)};
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
  std::future<Ids> keep_busy(Batcher& batcher) { return keep_busy(batcher, model_); }
  std::future<Ids> keep_busy(Batcher& batcher, const std::shared_ptr<FakeServedModel>& model) {
    model->gate.close();
    auto busy = queued(batcher, documents({"busy"}), call(model));
    model->gate.wait_for_arrivals(1);
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

}  // namespace hmtc
