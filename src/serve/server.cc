#include "serve/server.h"

#include <spdlog/spdlog.h>

#include "serve/examples.h"
#include "serve/start_threads.h"

namespace hmtc {
namespace {

/// Threads beyond those that can wait for a model, so that health checks always find one.
constexpr std::size_t kFreeWorkers = 8;

}  // namespace

Server::Server(const ServeOptions& options, const std::vector<std::filesystem::path>& models,
               ModelLoader loader)
    : options_(options),
      models_(models, std::move(loader), metrics_),
      batcher_(options.batches, metrics_) {
  ApiSettings settings{.limits = options.requests,
                       .token = options.token,
                       .for_this_machine = is_loopback(options.host) && options.token.empty(),
                       .examples = examples_json(options.examples)};
  api_ = std::make_unique<Api>(std::move(settings), ApiParts{models_, batcher_, metrics_, [this] {
                                                               return http_->num_connections();
                                                             }});
  ListeningSocket socket = listen_on(options.host, options.port);
  port_ = socket.port;
  http_ = std::make_unique<HttpServer>(
      std::move(socket.fd),
      HttpServerSettings{options.http, options.batches.queue_requests + kFreeWorkers,
                         [this](const HttpRequest& request) { return api_->answer(request); },
                         [this](const Exchange& exchange) { observe(exchange); }});
  http_->start();
}

Server::~Server() {
  http_->drain(std::chrono::milliseconds(0));  // what is under way still asks http_
  http_.reset();
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  something_to_do_.notify_all();
  if (watcher_.joinable()) watcher_.join();
}

void Server::load() {
  models_.load();
  watcher_ = start_thread([this] { look_after_models(); });
}

void Server::reload() {
  {
    const std::lock_guard lock(mutex_);
    reload_asked_ = true;
  }
  something_to_do_.notify_all();
}

void Server::drain() {
  api_->start_draining();
  const std::size_t cut_off = http_->drain(options_.drain_timeout);
  if (cut_off > 0) spdlog::warn("{} requests were cut off, the time to drain was up", cut_off);
}

void Server::look_after_models() {
  std::unique_lock lock(mutex_);
  while (!closing_) {
    something_to_do_.wait_for(lock, options_.look_every,
                              [this] { return closing_ || reload_asked_; });
    if (closing_) return;
    const bool reloads = std::exchange(reload_asked_, false);
    lock.unlock();
    if (reloads) {
      models_.reload();
    } else {
      models_.look_for_changes();
    }
    lock.lock();
  }
}

void Server::observe(const Exchange& exchange) {
  metrics_.add_exchange(exchange);
  if (!options_.logs_exchanges) return;
  spdlog::info("{} {} {} {} bytes {:.1f} ms", exchange.method, exchange.route, exchange.status,
               exchange.bytes, exchange.seconds * 1000);
}

}  // namespace hmtc
