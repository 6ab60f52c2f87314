#include "serve/answer_workers.h"

namespace hmtc {
namespace {

/// Said before any of it is sent: a part of an answer could be taken for the whole.
void refuse_large(OutgoingAnswer& answer) {
  answer.bytes = error_bytes(HttpError(
      503,
      "there is no room for an answer of this size; try again soon, ask for fewer labels, or "
      "send fewer or shorter documents",
      1));
  answer.exchange.status = 503;
  answer.exchange.bytes = answer.bytes.size();
}

}  // namespace

AnswerWorkers::AnswerWorkers(const HttpServerSettings& settings, LargeBytes& large_bytes,
                             const EventWatch& watch, const std::atomic<bool>& draining)
    : settings_(settings),
      large_bytes_(large_bytes),
      watch_(watch),
      draining_(draining),
      pool_(settings.workers, settings.limits.connections, [this] { return make_worker(); }) {}

std::vector<Answered> AnswerWorkers::take_done() {
  const std::lock_guard lock(mutex_);
  return std::exchange(done_, {});
}

std::function<void(AnswerTask)> AnswerWorkers::make_worker() {
  auto exchange = std::make_shared<HttpExchange>(settings_.handler, settings_.limits);
  return [this, exchange](AnswerTask task) { answer(*exchange, std::move(task)); };
}

void AnswerWorkers::answer(HttpExchange& exchange, AnswerTask task) {
  if (draining_) task.request.head.keep_alive = false;
  bool is_last = !task.request.head.keep_alive;
  const Clock::time_point arrived = task.request.arrived;
  LargeBytes::Claim body = std::move(task.request.claim);
  OutgoingAnswer answer = exchange.answer(std::move(task.request));
  body.release();
  auto claim = large_bytes_.claim(answer.bytes.size());
  if (!claim) {
    refuse_large(answer);
    is_last = true;
  }
  answer.exchange.seconds = std::chrono::duration<double>(Clock::now() - arrived).count();
  settings_.observer(answer.exchange);  // before it is sent: who has an answer finds it counted
  // Sent here and not by the thread that watches: the client has it a little sooner.
  hand_over({task.id, task.connection->send_now(std::move(answer.bytes)),
             std::move(claim).value_or(LargeBytes::Claim()), is_last});
}

void AnswerWorkers::hand_over(Answered done) {
  bool is_first = false;
  {
    const std::lock_guard lock(mutex_);
    is_first = done_.empty();
    done_.push_back(std::move(done));
  }
  if (is_first) watch_.wake();  // who came before has woken it, and it has not looked yet
}

}  // namespace hmtc
