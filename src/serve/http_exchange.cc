#include "serve/http_exchange.h"

#include <httplib.h>

#include <algorithm>
#include <cstring>

namespace hmtc {
namespace {

/// What cpp-httplib reads and writes instead of a socket.
class MemoryStream : public httplib::Stream {
 public:
  explicit MemoryStream(std::string input) : input_(std::move(input)) {}

  std::string take_output() { return std::move(output_); }

  bool is_readable() const override { return at_ < input_.size(); }
  bool is_writable() const override { return true; }
  ssize_t read(char* to, std::size_t size) override {
    const std::size_t count = std::min(size, input_.size() - at_);
    std::memcpy(to, input_.data() + at_, count);
    at_ += count;
    return static_cast<ssize_t>(count);
  }
  ssize_t write(const char* from, std::size_t size) override {
    output_.append(from, size);
    return static_cast<ssize_t>(size);
  }
  void get_remote_ip_and_port(std::string& /*ip*/, int& /*port*/) const override {}
  void get_local_ip_and_port(std::string& /*ip*/, int& /*port*/) const override {}
  socket_t socket() const override { return INVALID_SOCKET; }

 private:
  std::string input_;
  std::size_t at_ = 0;
  std::string output_;
};

void fill(httplib::Response& to, HttpResponse&& from) {
  to.status = from.status;
  for (const auto& [name, value] : from.headers) to.set_header(name, value);
  if (from.status == 304) return;  // has no content, so no type either
  to.set_content(from.body, from.content_type);
}

}  // namespace

class HttpExchange::Grammar : public httplib::Server {
 public:
  Grammar(const HttpHandler& handler, const HttpLimits& limits) : handler_(handler) {
    // Before its own routing, which matches regular expressions and knows no 405.
    set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      HttpResponse answer = handler_(translate(request));
      exchange_.route = answer.route;
      fill(response, std::move(answer));
      return HandlerResponse::Handled;
    });
    // What cpp-httplib refuses by itself has no body yet.
    set_error_handler(
        HandlerWithResponse([](const httplib::Request& /*request*/, httplib::Response& response) {
          if (!response.body.empty()) return HandlerResponse::Unhandled;
          fill(response, error_response(HttpError(response.status,
                                                  "expected METHOD PATH HTTP/1.1 with a method of "
                                                  "HTTP, found another request line")));
          return HandlerResponse::Handled;
        }));
    set_exception_handler([](const httplib::Request& /*request*/, httplib::Response& response,
                             std::exception_ptr /*failure*/) {
      fill(response, error_response(HttpError(500, "internal error")));
    });
    set_logger([this](const httplib::Request& request, const httplib::Response& response) {
      exchange_.status = response.status;
      // Any word can stand for the method in what was refused.
      if (exchange_.route != "-") exchange_.method = request.method;
    });
    // Which it tells the clients.
    set_keep_alive_timeout(
        std::chrono::duration_cast<std::chrono::seconds>(limits.idle_timeout).count());
    set_keep_alive_max_count(limits.requests_per_connection);
    set_default_headers({{"X-Content-Type-Options", "nosniff"}});
  }

  OutgoingAnswer answer(IncomingRequest request) {
    current_ = std::move(request);
    exchange_ = {};
    const bool close = !current_.head.keep_alive;
    // Only what it needs to see: a Range or an Accept-Encoding would have it cut and compress.
    MemoryStream stream(current_.head.request_line +
                        (close ? "\r\nConnection: close\r\n\r\n" : "\r\n\r\n"));
    bool closed = false;
    process_request(stream, close, closed, nullptr);
    OutgoingAnswer answer{stream.take_output(), std::move(exchange_)};
    answer.exchange.bytes = answer.bytes.size();
    return answer;
  }

 private:
  HttpRequest translate(const httplib::Request& request) {
    HttpRequest result;
    result.method = request.method;
    result.path = request.path;
    for (const auto& [name, value] : request.params) result.query.emplace(name, value);
    result.host = std::move(current_.head.host);
    result.authorization = std::move(current_.head.authorization);
    result.if_none_match = std::move(current_.head.if_none_match);
    result.body = std::move(current_.body);
    result.arrived = current_.arrived;
    result.client_gone = current_.client_gone;
    return result;
  }

  const HttpHandler& handler_;
  IncomingRequest current_;
  Exchange exchange_;
};

HttpExchange::HttpExchange(const HttpHandler& handler, const HttpLimits& limits)
    : grammar_(std::make_unique<Grammar>(handler, limits)) {}

HttpExchange::~HttpExchange() = default;

OutgoingAnswer HttpExchange::answer(IncomingRequest request) {
  return grammar_->answer(std::move(request));
}

}  // namespace hmtc
