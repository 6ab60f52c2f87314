#include "serve/request_head.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "serve/http_types.h"

namespace hmtc {
namespace {

using testing::HasSubstr;

HttpLimits small_limits() {
  HttpLimits limits;
  limits.request_line_bytes = 40;
  limits.head_bytes = 80;
  limits.headers = 4;
  limits.body_bytes = 10;
  return limits;
}

std::optional<std::size_t> end_of(std::string_view bytes) {
  std::size_t searched = 0;
  return find_head_end(bytes, searched, small_limits());
}

int status_of(std::string_view head) {
  try {
    parse_head(head, small_limits());
    return 200;
  } catch (const HttpError& error) {
    return error.status();
  }
}

TEST(FindHeadEnd, OfNothingIsNowhere) { EXPECT_EQ(end_of(""), std::nullopt); }

TEST(FindHeadEnd, IsBehindTheEmptyLine) {
  EXPECT_EQ(end_of("GET / HTTP/1.1\r\n\r\nbody"), 18U);
  EXPECT_EQ(end_of("GET / HTTP/1.1\r\n\r"), std::nullopt);
}

TEST(FindHeadEnd, IsFoundWhenTheBytesComeOneByOne) {
  const std::string head = "GET / HTTP/1.1\r\nA: b\r\n\r\n";
  std::size_t searched = 0;
  for (std::size_t size = 1; size < head.size(); ++size) {
    EXPECT_EQ(find_head_end(head.substr(0, size), searched, small_limits()), std::nullopt) << size;
  }
  EXPECT_EQ(find_head_end(head, searched, small_limits()), head.size());
}

TEST(FindHeadEnd, ThrowsAsSoonAsTheHeadCanOnlyBeTooLong) {
  const auto status = [](const std::string& bytes) {
    try {
      end_of(bytes);
      return 200;
    } catch (const HttpError& error) {
      return error.status();
    }
  };
  EXPECT_EQ(status("GET /" + std::string(35, 'a')), 200);
  EXPECT_EQ(status("GET /" + std::string(36, 'a')), 414);
  EXPECT_EQ(status("GET / HTTP/1.1\r\nA: " + std::string(61, 'a')), 200);
  EXPECT_EQ(status("GET / HTTP/1.1\r\nA: " + std::string(62, 'a')), 431);
  EXPECT_EQ(status("GET / HTTP/1.1\r\nA: " + std::string(62, 'a') + "\r\n\r\n"), 431);
}

TEST(ParseHead, WithoutHeadersHasNoBodyAndKeepsAlive) {
  const RequestHead head = parse_head("GET / HTTP/1.1\r\nHost: x\r\n\r\n", small_limits());
  EXPECT_EQ(head.host, "x");
  EXPECT_EQ(head.request_line, "GET / HTTP/1.1");
  EXPECT_EQ(head.body_bytes, 0U);
  EXPECT_TRUE(head.keep_alive);
  EXPECT_FALSE(head.expects_continue);
}

TEST(ParseHead, ReadsTheHeadersThatCount) {
  const RequestHead head = parse_head(
      "POST / HTTP/1.1\r\nHost: x\r\ncontent-LENGTH:  7 \r\nExpect: 100-Continue\r\nAuthorization: "
      "Bearer "
      "x%41\r\n"
      "\r\n",
      small_limits());
  EXPECT_EQ(head.body_bytes, 7U);
  EXPECT_TRUE(head.expects_continue);
  EXPECT_EQ(head.authorization, "Bearer x%41");
}

TEST(ParseHead, ConnectionAndVersionSayWhetherItStaysOpen) {
  const auto keeps = [](const std::string& head) {
    return parse_head(head, small_limits()).keep_alive;
  };
  EXPECT_FALSE(keeps("GET / HTTP/1.1\r\nHost: x\r\nConnection: te, Close\r\n\r\n"));
  EXPECT_FALSE(keeps("GET / HTTP/1.0\r\n\r\n"));
  EXPECT_TRUE(keeps("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"));
  for (const char* both :
       {"close, keep-alive", "keep-alive, close", "close\r\nConnection: keep-alive"}) {
    EXPECT_FALSE(
        keeps(std::string("GET / HTTP/1.1\r\nHost: x\r\nConnection: ") + both + "\r\n\r\n"))
        << both;
  }
}

TEST(ParseHead, WantsOneHost) {
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: x\r\nhost: x\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.0\r\n\r\n"), 200);
  EXPECT_EQ(status_of("GET / HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n"), 400);
}

TEST(ParseHead, TakesTheHostOutOfTheRequestLine) {
  const auto line = [](const std::string& target) {
    return parse_head("GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n", small_limits())
        .request_line;
  };
  EXPECT_EQ(line("http://x:1/a?b"), "GET /a?b HTTP/1.1");
  EXPECT_EQ(line("HTTPS://x"), "GET / HTTP/1.1");
  EXPECT_EQ(line("http://x?b"), "GET /?b HTTP/1.1");
  EXPECT_EQ(line("/a?b=http://x/"), "GET /a?b=http://x/ HTTP/1.1");
  EXPECT_EQ(line("ftp://x/a"), "GET ftp://x/a HTTP/1.1");
}

TEST(ParseHead, OnlyHttp11IsToldToContinue) {
  EXPECT_FALSE(parse_head("POST / HTTP/1.0\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n",
                          small_limits())
                   .expects_continue);
}

TEST(ParseHead, RefusesWhatProxiesCouldReadOtherwise) {
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: x\r\n: empty\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: x\r\nA : b\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n folded\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: x\r\nA: b\nC: d\r\n\r\n"), 400);
  EXPECT_EQ(status_of(std::string("GET / HTTP/1.1\r\nHost: x\r\nA: \0\r\n\r\n", 32)), 400);
  EXPECT_EQ(status_of("GET /\x01 HTTP/1.1\r\nHost: x\r\n\r\n"), 400);
  EXPECT_EQ(
      status_of("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n"),
      400);
  for (const char* length : {"-1", "+1", "1, 1", "0x1", "", "1 1"}) {
    EXPECT_EQ(status_of(std::string("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ") + length +
                        "\r\n\r\n"),
              400)
        << length;
  }
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"), 411);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\n\r\n"), 415);
}

TEST(ParseHead, BoundsHeadersAndBody) {
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: x\r\na: b\r\na: b\r\na: b\r\n\r\n"), 200);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: x\r\na: b\r\na: b\r\na: b\r\na: b\r\n\r\n"), 431);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n"), 200);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\n"), 413);
  // More than 64 bits.
  EXPECT_EQ(
      status_of("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999999\r\n\r\n"),
      413);
}

}  // namespace
}  // namespace hmtc
