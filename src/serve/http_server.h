#pragma once

#include <atomic>
#include <memory>

#include "serve/http_types.h"
#include "serve/limits.h"
#include "serve/listening_socket.h"

namespace hmtc {

struct HttpServerSettings {
  HttpLimits limits;
  std::size_t workers = 8;  ///< requests that are handled at the same time
  HttpHandler handler;
  ExchangeObserver observer;  ///< called by several threads at once
};

/// Answers the requests of all connections. One thread watches them and reads requests to their
/// end, so that a slow client costs memory but no thread; a worker gets a request when it is whole.
class HttpServer {
 public:
  HttpServer(FileDescriptor listening, HttpServerSettings settings);
  ~HttpServer();  ///< drains without patience

  /// Serves until it is drained or destroyed. Called once.
  void start();

  /// Takes no more connections, answers what has begun, and closes; what is not done after
  /// `patience` is cut off. Returns how many requests that were.
  std::size_t drain(std::chrono::milliseconds patience);

  std::size_t num_connections() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace hmtc
