#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "serve/connection.h"
#include "serve/event_watch.h"
#include "serve/http_server.h"
#include "serve/large_bytes.h"
#include "serve/worker_pool.h"

namespace hmtc {

/// A request on its way to a worker. The connection stays where it is until the worker is done.
struct AnswerTask {
  EventWatch::Id id = 0;
  const Connection* connection = nullptr;
  IncomingRequest request;
};

struct Answered {
  EventWatch::Id id = 0;
  std::optional<std::string> rest;  ///< of the answer; nothing: the client is gone
  LargeBytes::Claim claim;          ///< of the answer
  bool is_last = false;             ///< which the answer says
};

/// Answers requests on threads of its own and sends what a client takes at once. What is left is
/// for the thread that watches the connections, which is woken for it.
class AnswerWorkers {
 public:
  /// All that it is given outlives it. Once `draining` is set, an answer is a connection's last.
  AnswerWorkers(const HttpServerSettings& settings, LargeBytes& large_bytes,
                const EventWatch& watch, const std::atomic<bool>& draining);

  /// False when too many wait; the task is then left as it was.
  bool submit(AnswerTask&& task) { return pool_.submit(std::move(task)); }

  /// What has been answered since the last call.
  std::vector<Answered> take_done();

 private:
  std::function<void(AnswerTask)> make_worker();
  void answer(HttpExchange& exchange, AnswerTask task);
  void hand_over(Answered done);

  const HttpServerSettings& settings_;
  LargeBytes& large_bytes_;
  const EventWatch& watch_;
  const std::atomic<bool>& draining_;
  std::mutex mutex_;
  std::vector<Answered> done_;
  WorkerPool<AnswerTask> pool_;  // its threads use all of the above
};

}  // namespace hmtc
