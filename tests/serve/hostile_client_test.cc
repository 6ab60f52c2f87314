// Clients that send too much, too little, too slowly, or nothing: each is refused or closed in good
// time, and the server serves on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <thread>

#include "serve/http_server.h"
#include "support/raw_client.h"

namespace hmtc {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

class HostileClient : public testing::Test {
 protected:
  void start() {
    HttpServerSettings settings;
    settings.limits = limits_;
    settings.workers = 2;
    settings.handler = [](const HttpRequest& request) {
      HttpResponse response;
      response.body = request.body;
      return response;
    };
    settings.observer = [this](const Exchange& exchange) { last_status_ = exchange.status; };
    ListeningSocket socket = listen_on("127.0.0.1", 0);
    port_ = socket.port;
    server_ = std::make_unique<HttpServer>(std::move(socket.fd), std::move(settings));
    server_->start();
  }

  void expect_serving() {
    RawClient client(port_);
    EXPECT_EQ(client.post("/", "still here").body, "still here");
  }

  /// Sends the bytes and expects to be refused, the connection to end, the server to live.
  void expect_refused(int status, const std::string& bytes) {
    RawClient client(port_);
    client.send(bytes);
    const auto answer = client.receive();
    ASSERT_TRUE(answer) << status;
    EXPECT_EQ(answer->status, status);
    EXPECT_FALSE(answer->message().empty());
    EXPECT_TRUE(client.is_closed());
    EXPECT_EQ(last_status_, status);
    expect_serving();
  }

  HttpLimits limits_;
  int port_ = 0;
  std::atomic<int> last_status_ = 0;
  std::unique_ptr<HttpServer> server_;
};

TEST_F(HostileClient, ThatIsSilentOrLeavesAtOnceDoesNoHarm) {
  start();
  { const RawClient silent(port_); }
  RawClient killed(port_);
  killed.kill();
  expect_serving();
}

TEST_F(HostileClient, WithAGigabyteIsRefusedBeforeItIsRead) {
  start();
  RawClient client(port_);
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1073741824\r\n\r\n");
  const std::string piece(1 << 20, 'x');
  std::size_t sent = 0;
  while (sent < 1024 && client.send(piece)) ++sent;
  // The rest is not taken: the connection ends long before the gigabyte is sent.
  EXPECT_LT(sent, 256U);
  EXPECT_EQ(last_status_, 413);
  expect_serving();
}

TEST_F(HostileClient, WithALargeBodyHearsWhy) {
  start();
  RawClient client(port_);
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1073741824\r\n\r\nxxxx");
  const auto answer = client.receive();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 413);
  EXPECT_THAT(answer->message(), HasSubstr("at most 4194304 bytes"));
}

TEST_F(HostileClient, WithTenThousandHeadersIsRefused) {
  start();
  std::string head = "GET / HTTP/1.1\r\nHost: x\r\n";
  for (int i = 0; i < 10'000; ++i) head += "x: y\r\n";
  expect_refused(431, head + "\r\n");
}

TEST_F(HostileClient, WithALongLineIsRefused) {
  start();
  expect_refused(414, "GET /" + std::string(1 << 20, 'a'));
  expect_refused(431, "GET / HTTP/1.1\r\nHost: x\r\nx: " + std::string(1 << 20, 'a'));
}

TEST_F(HostileClient, WithBytesThatAreNoHttpIsRefused) {
  start();
  expect_refused(400, "\x16\x03\x01 TLS?\r\n\r\n");
  expect_refused(
      411,
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n");
}

TEST_F(HostileClient, WithNothingButEmptyLinesIsRefused) {
  limits_.head_timeout = milliseconds(50);
  start();
  std::string lines;
  for (int i = 0; i < 50'000; ++i) lines += "\r\n";
  expect_refused(400, lines);
  expect_refused(408, "\r\n");
}

TEST_F(HostileClient, WithHalfARequestIsToldThatTheTimeIsUp) {
  limits_.head_timeout = milliseconds(50);
  limits_.read_timeout = milliseconds(150);
  start();
  expect_refused(408, "GET / HT");
  expect_refused(408, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf");
}

TEST_F(HostileClient, ThatDripsBytesGetsNoMoreTimeForIt) {
  limits_.head_timeout = milliseconds(200);
  start();
  RawClient client(port_);
  client.send("GET / HTTP/1.1\r\nHost: x\r\n");
  const auto start = Clock::now();
  while (client.send("x: y\r\n") && Clock::now() - start < std::chrono::seconds(8)) {
    if (client.is_closed(milliseconds(20))) break;
    if (last_status_ == 408) break;
  }
  EXPECT_EQ(last_status_, 408);
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(8));
  expect_serving();
}

TEST_F(HostileClient, ManySlowOnesTakeNoThreadFromOthers) {
  start();
  std::vector<std::unique_ptr<RawClient>> slow;
  for (int i = 0; i < 100; ++i) {
    slow.push_back(std::make_unique<RawClient>(port_));
    slow.back()->send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nha");
  }
  // Two workers, a hundred requests that have begun: others are answered at once.
  for (int i = 0; i < 20; ++i) expect_serving();
  slow[99]->send("lf of it");
  EXPECT_EQ(slow[99]->receive()->body, "half of it");
}

TEST_F(HostileClient, ThatHoldsAllConnectionsLosesTheOldest) {
  limits_.connections = 8;
  start();
  std::vector<std::unique_ptr<RawClient>> hoarded;
  for (int i = 0; i < 8; ++i) {
    hoarded.push_back(std::make_unique<RawClient>(port_));
    hoarded.back()->send("GET /");
    while (server_->num_connections() < hoarded.size()) std::this_thread::yield();
  }
  expect_serving();
  EXPECT_TRUE(hoarded[0]->is_closed());
  EXPECT_LE(server_->num_connections(), 8U);
}

TEST_F(HostileClient, ThatUsesUpTheDescriptorsDoesNotStopTheServer) {
  start();
  expect_serving();  // the sanitizer needs descriptors when it meets a type for the first time
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  std::vector<std::unique_ptr<RawClient>> clients;
  // The clients of this test live in the same process, so that both sides run out together.
  const rlimit few{64, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  try {
    for (int i = 0; i < 64; ++i) clients.push_back(std::make_unique<RawClient>(port_));
  } catch (const std::exception&) {
  }
  std::this_thread::sleep_for(milliseconds(300));
  clients.clear();
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  expect_serving();
}

TEST_F(HostileClient, ManyLargeRequestsAtOnceAreRefusedAndSmallOnesServed) {
  limits_.large_bytes = 1 << 20;
  start();
  RawClient large(port_);
  large.send(
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(large.receive()->status, 100);  // it has claimed its bytes
  expect_refused(503, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n");
  large.send(std::string(1'000'000, 'x'));
  EXPECT_EQ(large.receive()->body.size(), 1'000'000U);
  EXPECT_EQ(large.post("/", std::string(1'000'000, 'x')).body.size(), 1'000'000U);
}

TEST_F(HostileClient, ThatIsKilledInTheMiddleLeavesNothingBehind) {
  start();
  for (const char* part : {"G", "POST / HTTP/1.1\r\nHost: x\r\n",
                           "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx",
                           "GET / HTTP/1.1\r\nHost: x\r\n\r\n"}) {
    RawClient client(port_);
    client.send(part);
    client.kill();
  }
  expect_serving();
  for (int i = 0; i < 5000 && server_->num_connections() > 0; ++i) {
    std::this_thread::sleep_for(milliseconds(1));
  }
  EXPECT_EQ(server_->num_connections(), 0U);
}

}  // namespace
}  // namespace hmtc
