#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "serve/batcher.h"
#include "serve/http_types.h"
#include "serve/model_store.h"

namespace hmtc {

struct ApiSettings {
  RequestLimits limits;
  std::string token;              ///< empty: none is asked for
  bool for_this_machine = false;  ///< requests that name another host are refused
  std::string examples;           ///< the answer of GET /v1/examples
};

/// What an Api works with; all outlive it.
struct ApiParts {
  ModelStore& models;
  Batcher& batcher;
  Metrics& metrics;
  std::function<std::size_t()> num_connections;
};

/// The routes of the server. For all threads.
class Api {
 public:
  Api(ApiSettings settings, const ApiParts& parts);

  /// Never throws: what goes wrong becomes an answer.
  HttpResponse answer(const HttpRequest& request) const;

  /// From now on it says that it is not ready.
  void start_draining() { is_draining_ = true; }

  /// "GET /v1/models" and so on, for checking the documentation.
  std::vector<std::string> routes() const;

 private:
  using Answer = HttpResponse (Api::*)(const HttpRequest&) const;
  struct Route {
    const char* method;
    const char* path;
    Answer answer;
    bool is_open;  ///< without a token
  };
  static const std::vector<Route>& table();

  HttpResponse dispatch(const HttpRequest& request, std::string& route) const;
  void check_token(const HttpRequest& request) const;
  void check_host(const HttpRequest& request) const;
  std::shared_ptr<const StoredModel> model_named(const std::string& name) const;
  ModelCall call_of(const HttpRequest& request, const StoredModel& model) const;
  bool is_ready() const { return models_.is_ready() && !is_draining_; }

  HttpResponse predict(const HttpRequest& request) const;
  HttpResponse explain(const HttpRequest& request) const;
  HttpResponse labels(const HttpRequest& request) const;
  HttpResponse models(const HttpRequest& request) const;
  HttpResponse examples(const HttpRequest& request) const;
  HttpResponse live(const HttpRequest& request) const;
  HttpResponse ready(const HttpRequest& request) const;
  HttpResponse metrics(const HttpRequest& request) const;
  HttpResponse openapi(const HttpRequest& request) const;
  HttpResponse page(const HttpRequest& request) const;

  const ApiSettings settings_;
  ModelStore& models_;
  Batcher& batcher_;
  Metrics& metrics_;
  const std::function<std::size_t()> num_connections_;
  std::atomic<bool> is_draining_ = false;
};

}  // namespace hmtc
