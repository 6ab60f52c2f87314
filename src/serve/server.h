#pragma once

#include <condition_variable>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "serve/api.h"
#include "serve/http_server.h"
#include "serve/model_store.h"

namespace hmtc {

struct ServeOptions {
  std::string host = "127.0.0.1";
  int port = 0;  ///< 0: any that is free
  HttpLimits http;
  RequestLimits requests;
  BatchOptions batches;
  std::string token;     ///< empty: none is asked for
  std::string examples;  ///< a JSON lines file, or empty
  bool logs_exchanges = true;
  std::chrono::milliseconds look_every{1'000};  ///< at the models' directories
  std::chrono::milliseconds drain_timeout{30'000};
};

/// A server in one piece: it listens when it is made and says that it is not ready until load()
/// has ended.
class Server {
 public:
  /// Throws kIo when it cannot listen or read the examples, kUsage when two models have the same
  /// name.
  Server(const ServeOptions& options, const std::vector<std::filesystem::path>& models,
         ModelLoader loader);
  ~Server();

  int port() const { return port_; }

  /// Loads the models, then looks after their directories. Throws what the loader throws.
  void load();
  /// Has all models loaded anew, on a thread of its own.
  void reload();
  /// Answers what has begun, takes nothing more, and returns when all is closed or the time is up.
  void drain();

 private:
  void look_after_models();
  void observe(const Exchange& exchange);

  const ServeOptions options_;
  int port_ = 0;
  Metrics metrics_;
  ModelStore models_;
  Batcher batcher_;
  std::unique_ptr<Api> api_;
  std::unique_ptr<HttpServer> http_;

  std::mutex mutex_;
  std::condition_variable something_to_do_;
  bool reload_asked_ = false;
  bool closing_ = false;
  std::thread watcher_;
};

}  // namespace hmtc
