#include "serve/http_exchange.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hmtc {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

OutgoingAnswer answer_to(const std::string& request_line, const HttpHandler& handler,
                         bool keep_alive = true) {
  HttpLimits limits;
  limits.idle_timeout = std::chrono::seconds(7);
  limits.requests_per_connection = 8;
  HttpExchange exchange(handler, limits);
  IncomingRequest request;
  request.head.request_line = request_line;
  request.head.keep_alive = keep_alive;
  request.body = "the body";
  return exchange.answer(std::move(request));
}

/// Says what it was asked.
HttpResponse echo(const HttpRequest& request) {
  HttpResponse response;
  response.body = request.method + " " + request.path + " [" + request.body + "]";
  for (const auto& [name, value] : request.query) response.body += " " + name + "=" + value;
  response.headers.emplace_back("X-Mark", "m");
  response.route = "/echo";
  return response;
}

TEST(HttpExchange, GivesMethodPathQueryAndBody) {
  const OutgoingAnswer answer = answer_to("POST /a%20b?x=1&y=%C3%BC&x=2 HTTP/1.1", echo);
  EXPECT_THAT(answer.bytes, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(answer.bytes, EndsWith("\r\n\r\nPOST /a b [the body] x=1 y=ü"));
  EXPECT_THAT(answer.bytes, HasSubstr("\r\nX-Mark: m\r\n"));
  EXPECT_THAT(answer.bytes, HasSubstr("\r\nX-Content-Type-Options: nosniff\r\n"));
  EXPECT_THAT(answer.bytes, HasSubstr("\r\nContent-Length: 29\r\n"));
  EXPECT_EQ(answer.exchange.method, "POST");
  EXPECT_EQ(answer.exchange.route, "/echo");
  EXPECT_EQ(answer.exchange.status, 200);
  EXPECT_EQ(answer.exchange.bytes, answer.bytes.size());
}

TEST(HttpExchange, SaysWhenTheConnectionCloses) {
  EXPECT_THAT(answer_to("GET / HTTP/1.1", echo).bytes, Not(HasSubstr("Connection: close")));
  EXPECT_THAT(answer_to("GET / HTTP/1.1", echo).bytes,
              HasSubstr("Keep-Alive: timeout=7, max=8\r\n"));
  EXPECT_THAT(answer_to("GET / HTTP/1.1", echo, false).bytes, HasSubstr("Connection: close"));
}

TEST(HttpExchange, AHeadRequestGetsNoBody) {
  const OutgoingAnswer answer = answer_to("HEAD / HTTP/1.1", echo);
  EXPECT_THAT(answer.bytes, HasSubstr("Content-Length: 17\r\n"));
  EXPECT_THAT(answer.bytes, EndsWith("\r\n\r\n"));
}

TEST(HttpExchange, NotModifiedHasNoContent) {
  const OutgoingAnswer answer = answer_to("GET / HTTP/1.1", [](const HttpRequest&) {
    HttpResponse response;
    response.status = 304;
    return response;
  });
  EXPECT_THAT(answer.bytes, StartsWith("HTTP/1.1 304 "));
  EXPECT_THAT(answer.bytes, EndsWith("\r\n\r\n"));
}

TEST(HttpExchange, ARequestLineThatIsNoneIsAnsweredInTheCommonForm) {
  for (const char* line : {"GET /", "FOO / HTTP/1.1", "GET / HTTP/2.0", "GET / x HTTP/1.1", ""}) {
    const OutgoingAnswer answer = answer_to(line, echo);
    EXPECT_THAT(answer.bytes, StartsWith("HTTP/1.1 400 ")) << line;
    EXPECT_THAT(answer.bytes, HasSubstr(R"({"error":{"status":400,"message":)")) << line;
    EXPECT_EQ(answer.exchange.route, "-") << line;
    EXPECT_EQ(answer.exchange.method, "-") << line;
  }
}

TEST(HttpExchange, AHandlerThatThrowsIsA500WithoutDetails) {
  const OutgoingAnswer answer = answer_to("GET / HTTP/1.1", [](const HttpRequest&) -> HttpResponse {
    throw std::runtime_error("secret");
  });
  EXPECT_THAT(answer.bytes, StartsWith("HTTP/1.1 500 "));
  EXPECT_THAT(answer.bytes, Not(HasSubstr("secret")));
}

}  // namespace
}  // namespace hmtc
