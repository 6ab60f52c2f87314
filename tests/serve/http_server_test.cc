#include "serve/http_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "serve/fake_served_model.h"
#include "support/raw_client.h"

namespace hmtc {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::Not;

/// A server that answers with the request's body; a path /wait waits at a gate, /gone tells whether
/// the client has gone, /large answers with eight megabytes.
class HttpServerTest : public testing::Test {
 protected:
  void start() {
    HttpServerSettings settings;
    settings.limits = limits_;
    settings.workers = 4;
    settings.handler = [this](const HttpRequest& request) { return answer(request); };
    settings.observer = [this](const Exchange& exchange) {
      const std::lock_guard lock(mutex_);
      statuses_.push_back(exchange.status);
    };
    ListeningSocket socket = listen_on("127.0.0.1", 0);
    port_ = socket.port;
    server_ = std::make_unique<HttpServer>(std::move(socket.fd), std::move(settings));
    server_->start();
  }

  void TearDown() override { gate_.open(); }

  HttpResponse answer(const HttpRequest& request) {
    if (request.path == "/wait") gate_.pass();
    if (request.path == "/gone") {
      gate_.pass();
      for (int i = 0; i < 5000 && !request.client_gone->load(); ++i) {
        std::this_thread::sleep_for(milliseconds(1));
      }
      saw_client_go_ = request.client_gone->load();
    }
    HttpResponse response;
    response.body = request.path == "/large" ? std::string(8 << 20, 'x') : request.body;
    return response;
  }

  static void wait_until(const std::function<bool()>& condition) {
    for (int i = 0; i < 10'000 && !condition(); ++i) std::this_thread::sleep_for(milliseconds(1));
    EXPECT_TRUE(condition());
  }

  std::vector<int> statuses() const {
    const std::lock_guard lock(mutex_);
    return statuses_;
  }

  HttpLimits limits_;
  Gate gate_;
  int port_ = 0;
  std::atomic<bool> saw_client_go_ = false;
  mutable std::mutex mutex_;
  std::vector<int> statuses_;
  std::unique_ptr<HttpServer> server_;
};

TEST_F(HttpServerTest, StopsWithoutEverHavingBeenAsked) { start(); }

TEST_F(HttpServerTest, AnswersSeveralRequestsOnOneConnection) {
  start();
  RawClient client(port_);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(client.post("/", "body " + std::to_string(i)).body, "body " + std::to_string(i));
  }
  EXPECT_EQ(server_->num_connections(), 1U);
}

TEST_F(HttpServerTest, AnswersRequestsThatCameTogetherInTheirOrder) {
  start();
  RawClient client(port_);
  client.send(post_bytes("/", "one") + "\r\n" + post_bytes("/", "two") + post_bytes("/", "three"));
  for (const char* body : {"one", "two", "three"}) EXPECT_EQ(client.receive()->body, body);
}

TEST_F(HttpServerTest, AnswersARequestThatComesByteByByte) {
  start();
  RawClient client(port_);
  for (const char byte : post_bytes("/", "slow")) {
    client.send({&byte, 1});
    std::this_thread::sleep_for(milliseconds(1));
  }
  EXPECT_EQ(client.receive()->body, "slow");
}

TEST_F(HttpServerTest, ClosesWhenTheClientAsksForIt) {
  start();
  RawClient client(port_);
  const RawAnswer answer = client.get("/", "Connection: close\r\n");
  EXPECT_THAT(answer.head, HasSubstr("Connection: close"));
  EXPECT_TRUE(client.is_closed());
}

TEST_F(HttpServerTest, ClosesAfterSoManyRequests) {
  limits_.requests_per_connection = 2;
  start();
  RawClient client(port_);
  EXPECT_THAT(client.get("/").head, Not(HasSubstr("Connection: close")));
  EXPECT_THAT(client.get("/").head, HasSubstr("Connection: close"));
  EXPECT_TRUE(client.is_closed());
}

TEST_F(HttpServerTest, TellsAClientThatWaitsToGoOn) {
  start();
  RawClient client(port_);
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.receive()->status, 100);
  client.send("body");
  EXPECT_EQ(client.receive()->body, "body");
}

TEST_F(HttpServerTest, AHeadRequestLeavesTheConnectionUsable) {
  start();
  RawClient client(port_);
  client.send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(client.receive(/*is_head_request=*/true)->status, 200);
  EXPECT_EQ(client.post("/", "after").body, "after");
}

TEST_F(HttpServerTest, AnswersThatAreReadSlowlyArriveWhole) {
  start();
  RawClient client(port_);
  client.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
  std::this_thread::sleep_for(milliseconds(100));
  EXPECT_EQ(client.receive()->body.size(), std::size_t{8} << 20);
  EXPECT_EQ(client.post("/", "after").body, "after");
}

TEST_F(HttpServerTest, AnAnswerThatIsNeverReadIsGivenUp) {
  limits_.write_timeout = milliseconds(200);
  start();
  RawClient client(port_);
  client.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
  wait_until([this] { return !statuses().empty(); });
  wait_until([this] { return server_->num_connections() == 0; });
}

TEST_F(HttpServerTest, AnAnswerThatThereIsNoRoomForIsRefusedNotCut) {
  limits_.large_bytes = 1 << 20;
  start();
  RawClient client(port_);
  const RawAnswer answer = client.get("/large");
  EXPECT_EQ(answer.status, 503);
  EXPECT_THAT(answer.head, HasSubstr("Retry-After: 1"));
  EXPECT_THAT(answer.message(), HasSubstr("no room"));
  EXPECT_TRUE(client.is_closed());
  EXPECT_EQ(statuses(), std::vector<int>{503});
}

TEST_F(HttpServerTest, UnreadAnswersTakeBoundedMemory) {
  limits_.large_bytes = 10 << 20;
  limits_.write_timeout = milliseconds(500);
  start();
  RawClient slow(port_);
  slow.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
  wait_until([this] { return !statuses().empty(); });
  EXPECT_EQ(RawClient(port_).get("/large").status, 503);
  wait_until([this] { return server_->num_connections() == 0; });
  EXPECT_EQ(RawClient(port_).get("/large").status, 200);
}

TEST_F(HttpServerTest, AClientThatHasEndedSendingGetsItsAnswers) {
  start();
  gate_.close();
  RawClient client(port_);
  client.send(post_bytes("/wait", "one") + post_bytes("/", "two"));
  client.end_sending();
  gate_.wait_for_arrivals(1);
  RawClient(port_).get("/");  // what came before it has been seen
  gate_.open();
  EXPECT_EQ(client.receive()->body, "one");
  EXPECT_EQ(client.receive()->body, "two");
  EXPECT_TRUE(client.is_closed());
}

TEST_F(HttpServerTest, IdleConnectionsAreClosed) {
  limits_.idle_timeout = milliseconds(50);
  start();
  RawClient client(port_);
  EXPECT_TRUE(client.is_closed());
  EXPECT_TRUE(statuses().empty());
}

TEST_F(HttpServerTest, AClientThatGoesIsNoticedWhileItsRequestIsHandled) {
  start();
  gate_.close();
  RawClient client(port_);
  client.send("GET /gone HTTP/1.1\r\nHost: x\r\n\r\n");
  gate_.wait_for_arrivals(1);
  client.kill();
  gate_.open();
  wait_until([this] { return !statuses().empty(); });
  EXPECT_TRUE(saw_client_go_);
}

TEST_F(HttpServerTest, DrainingAnswersWhatHasBegunAndClosesTheRest) {
  start();
  gate_.close();
  RawClient idle(port_);
  idle.get("/");
  RawClient busy(port_);
  busy.send("GET /wait HTTP/1.1\r\nHost: x\r\n\r\n");
  gate_.wait_for_arrivals(1);
  RawClient half(port_);
  half.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\nbo");
  EXPECT_EQ(half.receive()->status, 100);  // it has begun

  auto drained =
      std::async(std::launch::async, [this] { return server_->drain(std::chrono::seconds(20)); });
  EXPECT_TRUE(idle.is_closed());
  EXPECT_ANY_THROW(RawClient(port_).get("/"));
  half.send("dy");
  EXPECT_EQ(half.receive()->body, "body");
  gate_.open();
  EXPECT_EQ(busy.receive()->status, 200);
  EXPECT_TRUE(busy.is_closed());
  EXPECT_EQ(drained.get(), 0U);
}

TEST_F(HttpServerTest, DrainingAnswersARequestThatWasSentBefore) {
  for (int round = 0; round < 20; ++round) {
    start();
    RawClient client(port_);
    client.get("/");
    client.send(post_bytes("/", "sent"));
    client.end_sending();
    server_->drain(std::chrono::seconds(20));
    const auto answer = client.receive();
    ASSERT_TRUE(answer) << round;
    EXPECT_EQ(answer->body, "sent");
  }
}

TEST_F(HttpServerTest, DrainingEndsWhenTheTimeIsUp) {
  start();
  gate_.close();
  RawClient half(port_);
  half.send("POST / HTTP/1.1\r\n");
  RawClient busy(port_);
  busy.send("GET /gone HTTP/1.1\r\nHost: x\r\n\r\n");
  gate_.wait_for_arrivals(1);
  gate_.open();
  EXPECT_EQ(server_->drain(milliseconds(50)), 1U);
  EXPECT_TRUE(saw_client_go_);
}

TEST_F(HttpServerTest, APortInUseIsAnErrorThatNamesIt) {
  start();
  try {
    listen_on("127.0.0.1", port_);
    ADD_FAILURE() << "two servers on one port";
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(), HasSubstr(std::to_string(port_)));
    EXPECT_THAT(error.what(), HasSubstr("in use"));
  }
}

}  // namespace
}  // namespace hmtc
