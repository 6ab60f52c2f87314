#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace hmtc {

using Clock = std::chrono::steady_clock;

/// Set when nobody waits for an answer any more.
using GoneFlag = std::shared_ptr<std::atomic<bool>>;

/// A request that has arrived whole and within the limits.
struct HttpRequest {
  std::string method;
  std::string path;                          ///< percent-decoded, without the query
  std::map<std::string, std::string> query;  ///< the first value of each name
  std::string host;                          ///< the header's value, or empty
  std::string authorization;                 ///< the same
  std::string if_none_match;
  std::string body;
  Clock::time_point arrived;  ///< its first byte
  GoneFlag client_gone;
};

struct HttpResponse {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
  /// The path of the route that answered, for logs and metrics; never what a client has sent.
  std::string route = "other";
};

/// Answers a request; called by several threads at once, must not throw.
using HttpHandler = std::function<HttpResponse(const HttpRequest&)>;

/// A request that is not answered as it hoped: 4xx or 5xx, with the reason for its sender.
class HttpError : public std::runtime_error {
 public:
  HttpError(int status, const std::string& message, int retry_after_seconds = 0)
      : std::runtime_error(message), status_(status), retry_after_seconds_(retry_after_seconds) {}
  int status() const { return status_; }
  int retry_after_seconds() const { return retry_after_seconds_; }  ///< 0: not said

 private:
  int status_;
  int retry_after_seconds_;
};

/// {"error": {"status": …, "message": …}} with the headers that belong to it.
HttpResponse error_response(const HttpError& error);

/// The same as the bytes of an answer after which the connection is closed, for requests that do
/// not get as far as a handler.
std::string error_bytes(const HttpError& error);

/// An answer that was given, for the log and the metrics: no text of users.
struct Exchange {
  std::string method = "-";
  std::string route = "-";
  int status = 0;
  std::size_t bytes = 0;
  double seconds = 0;
};
using ExchangeObserver = std::function<void(const Exchange&)>;

}  // namespace hmtc
