// The whole server over real sockets, with models that compute nothing.
#include "serve/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <future>
#include <sstream>

#include "serve/fake_served_model.h"
#include "support/raw_client.h"

namespace hmtc {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::Not;

class ServerTest : public testing::Test {
 protected:
  void SetUp() override { options_.logs_exchanges = false; }
  void TearDown() override { model_->gate.open(); }

  void start(bool loads = true) {
    server_ = std::make_unique<Server>(options_, std::vector<std::filesystem::path>{"m"},
                                       [this](const std::filesystem::path&) { return model_; });
    if (loads) server_->load();
  }

  RawAnswer predict(const std::string& body = R"({"text": "a"})") {
    RawClient client(server_->port());
    return client.post("/v1/predict", body);
  }

  ServeOptions options_;
  std::shared_ptr<FakeServedModel> model_ = std::make_shared<FakeServedModel>();
  std::unique_ptr<Server> server_;
};

TEST_F(ServerTest, IsLiveBeforeItIsReady) {
  start(/*loads=*/false);
  RawClient client(server_->port());
  EXPECT_EQ(client.get("/health/live").status, 200);
  EXPECT_EQ(client.get("/health/ready").status, 503);
  server_->load();
  EXPECT_EQ(client.get("/health/ready").status, 200);
}

TEST_F(ServerTest, Predicts) {
  start();
  const RawAnswer answer = predict(R"({"documents": [{"id": "ü", "text": "a"}]})");
  EXPECT_EQ(answer.status, 200);
  EXPECT_THAT(answer.head, HasSubstr("Content-Type: application/json"));
  EXPECT_THAT(answer.head, Not(HasSubstr("Access-Control")));
  EXPECT_EQ(answer.json()["documents"][0]["id"], "ü");
}

TEST_F(ServerTest, RefusesAHundredThousandWords) {
  start();
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "word ";
  const RawAnswer answer = predict(R"({"text": ")" + text + "\"}");
  EXPECT_EQ(answer.status, 413);
  EXPECT_THAT(answer.message(), HasSubstr("at most 20000 words in a document, found 100000"));
  EXPECT_EQ(predict().status, 200);
}

TEST_F(ServerTest, RefusesWhatIsNotJson) {
  start();
  for (const char* body : {"", "{", "\xFF", "null", R"({"text": 1})", R"({"texts": [{}]})"}) {
    const RawAnswer answer = predict(body);
    EXPECT_EQ(answer.status, 400) << body;
    EXPECT_FALSE(answer.message().empty());
  }
}

TEST_F(ServerTest, AnswersHealthChecksWhileTheModelIsBusy) {
  options_.batches.queue_requests = 4;
  start();
  model_->gate.close();
  std::vector<std::unique_ptr<RawClient>> waiting;
  for (int i = 0; i < 4; ++i) {
    waiting.push_back(std::make_unique<RawClient>(server_->port()));
    waiting.back()->send(post_bytes("/v1/predict", R"({"text": "a"})"));
  }
  RawClient client(server_->port());
  while (client.get("/metrics").body.find("hmtc_queue_requests 4\n") == std::string::npos) {
  }
  EXPECT_EQ(client.get("/health/ready").status, 200);
  const RawAnswer refused = predict();
  EXPECT_EQ(refused.status, 429);
  EXPECT_THAT(refused.head, HasSubstr("Retry-After: "));
  model_->gate.open();
  for (auto& each : waiting) EXPECT_EQ(each->receive()->status, 200);
  EXPECT_EQ(predict().status, 200);
}

TEST_F(ServerTest, GivesUpAtTheDeadline) {
  options_.batches.at_once = 1;
  options_.requests.deadline = milliseconds(100);
  start();
  model_->gate.close();
  EXPECT_EQ(predict().status, 504);
  EXPECT_EQ(predict().status, 503);
  model_->gate.open();
  EXPECT_EQ(RawClient(server_->port()).get("/health/live").status, 200);
}

TEST_F(ServerTest, DoesNotComputeForAClientThatHasGone) {
  options_.batches.at_once = 1;
  start();
  model_->gate.close();
  RawClient busy(server_->port());
  busy.send(post_bytes("/v1/predict", R"({"documents": [{"id": "busy", "text": "a"}]})"));
  model_->gate.wait_for_arrivals(1);
  RawClient killed(server_->port());
  killed.send(post_bytes("/v1/predict", R"({"documents": [{"id": "gone", "text": "a"}]})"));
  RawClient client(server_->port());
  while (client.get("/metrics").body.find("hmtc_queue_requests 2\n") == std::string::npos) {
  }
  killed.kill();
  // The thread that watches has seen it when it has seen what came later.
  for (int i = 0; i < 3; ++i) client.get("/health/live");
  model_->gate.open();
  EXPECT_EQ(busy.receive()->status, 200);
  EXPECT_EQ(predict().status, 200);
  EXPECT_THAT(model_->batches(), testing::ElementsAre(std::vector<std::string>{"busy"},
                                                      std::vector<std::string>{"1"}));
}

TEST_F(ServerTest, DrainsWithTheAnswersThatAreUnderWay) {
  start();
  model_->gate.close();
  RawClient client(server_->port());
  client.send(post_bytes("/v1/predict", R"({"text": "a"})"));
  model_->gate.wait_for_arrivals(1);
  auto drained = std::async(std::launch::async, [this] { server_->drain(); });
  std::this_thread::sleep_for(milliseconds(50));
  model_->gate.open();
  EXPECT_EQ(client.receive()->status, 200);
  drained.get();
  EXPECT_ANY_THROW(RawClient(server_->port()).get("/health/live"));
}

TEST_F(ServerTest, LogsNothingThatAUserHasWritten) {
  std::ostringstream log;
  const auto before = spdlog::default_logger();
  spdlog::set_default_logger(std::make_shared<spdlog::logger>(
      "test", std::make_shared<spdlog::sinks::ostream_sink_mt>(log)));
  options_.logs_exchanges = true;
  start();
  predict(R"({"text": "secret one"})");
  predict(R"({"secret two": 1})");
  predict(R"({"text": "a", "model": "secret three"})");
  RawClient(server_->port()).get("/v1/labels?model=secret-four");
  RawClient(server_->port()).get("/secret-five");
  RawClient(server_->port()).exchange("SECRET /six HTTP/1.1\r\nHost: x\r\n\r\n");
  server_->drain();
  server_.reset();
  spdlog::set_default_logger(before);
  EXPECT_THAT(log.str(), HasSubstr("POST /v1/predict 200"));
  EXPECT_THAT(log.str(), HasSubstr("GET /v1/labels 404"));
  EXPECT_THAT(log.str(), HasSubstr("GET other 404"));
  EXPECT_THAT(log.str(), Not(HasSubstr("secret")));
  EXPECT_THAT(log.str(), Not(HasSubstr("SECRET")));
}

TEST_F(ServerTest, CountsWhatItDoes) {
  start();
  for (int i = 0; i < 3; ++i) predict();
  predict("{");
  RawClient client(server_->port());
  const std::string text = client.get("/metrics").body;
  EXPECT_THAT(text, HasSubstr("hmtc_requests_total{route=\"/v1/predict\",status=\"200\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("hmtc_requests_total{route=\"/v1/predict\",status=\"400\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("hmtc_documents_total 3\n"));
  EXPECT_THAT(text, HasSubstr("hmtc_model_loads_total{model=\"m\",result=\"ok\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("hmtc_request_seconds_count{route=\"/v1/predict\"} 4\n"));
}

TEST_F(ServerTest, EndsWhileItIsAskedForMetrics) {
  for (int round = 0; round < 10; ++round) {
    start();
    std::vector<std::future<void>> clients;
    for (int client = 0; client < 4; ++client) {
      clients.push_back(std::async(std::launch::async, [port = server_->port()] {
        try {
          RawClient connection(port);
          for (;;) connection.get("/metrics");
        } catch (const std::exception&) {  // the server has ended
        }
      }));
    }
    std::this_thread::sleep_for(milliseconds(20));
    server_.reset();
  }
}

TEST_F(ServerTest, ServesManyClientsAtOnce) {
  model_ = std::make_shared<FakeServedModel>("leaf", milliseconds(1));
  start();
  std::vector<std::future<void>> clients;
  for (int client = 0; client < 32; ++client) {
    clients.push_back(std::async(std::launch::async, [this, client] {
      RawClient connection(server_->port());
      for (int i = 0; i < 20; ++i) {
        const std::string id = std::to_string(client) + "-" + std::to_string(i);
        const RawAnswer answer = connection.post(
            "/v1/predict", R"({"documents": [{"id": ")" + id + R"(", "text": "a"}]})");
        ASSERT_EQ(answer.status, 200);
        EXPECT_EQ(answer.json()["documents"][0]["id"], id);
      }
    }));
  }
  for (auto& client : clients) client.get();
  // They were answered together, not one by one.
  EXPECT_LT(model_->batches().size(), 32U * 20 / 2);
}

}  // namespace
}  // namespace hmtc
