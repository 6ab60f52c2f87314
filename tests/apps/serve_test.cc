// The server as its users start it: on a model that was trained here, over real sockets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>

#include "apps/tiny_project.h"
#include "support/raw_client.h"

namespace hmtc {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// A server on a port of its own, killed at the end if it is still there.
class RunningServer {
 public:
  /// `early_signal`: what it is sent as soon as it listens.
  explicit RunningServer(const Arguments& arguments, int early_signal = 0)
      : process_(hmtc_command(with(arguments))) {
    wait_until("the server listens", [this] { return process_.out().ends_with("\n"); });
    if (early_signal != 0) process_.send(early_signal);
    wait_until("the server is ready", [this] { return get("/health/ready").status == 200; });
  }

  int port() const { return std::stoi(process_.out().substr(process_.out().rfind(':') + 1)); }
  RawAnswer get(const std::string& path) const { return RawClient(port()).get(path); }
  json predict(const json& body) const {
    const RawAnswer answer = RawClient(port()).post("/v1/predict", body.dump());
    EXPECT_EQ(answer.status, 200) << answer.body;
    return json::parse(answer.body);
  }
  Process& process() { return process_; }

  void wait_until(const std::string& what, const std::function<bool()>& condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!condition()) {
      if (!process_.is_running() || std::chrono::steady_clock::now() > end) {
        throw std::runtime_error("in vain until " + what + ": " + process_.err());
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

 private:
  static Arguments with(const Arguments& arguments) {
    Arguments all = {"serve", "--port", "0"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return all;
  }

  Process process_;
};

class Serve : public testing::Test {
 protected:
  static void SetUpTestSuite() { project_ = new TinyProject; }
  static void TearDownTestSuite() { delete project_; }

  /// The test documents as `hmtc predict` answers them.
  static std::vector<json> predicted(const Arguments& options) {
    Arguments arguments = {"predict", project_->model(), project_->path("data/test.jsonl")};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProcessResult result = hmtc_program(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    std::vector<json> answers;
    for (const std::string& line : lines_of(result.out)) answers.push_back(json::parse(line));
    return answers;
  }

  static json test_documents() {
    json documents = json::array();
    for (const std::string& line : tiny_corpus().test) {
      const json document = json::parse(line);
      documents.push_back({{"id", document["id"]}, {"text", document["text"]}});
    }
    return documents;
  }

  static TinyProject* project_;
};

TinyProject* Serve::project_ = nullptr;

TEST_F(Serve, AnswersAsPredictDoesAndEndsWellWhenTold) {
  RunningServer server({project_->model(), "--examples", project_->path("data/test.jsonl")});
  EXPECT_THAT(server.process().out(),
              testing::MatchesRegex("listening on http://127.0.0.1:[0-9]+\n"));

  for (const auto& [options, members] :
       {std::pair(Arguments{}, json::object()),
        std::pair(Arguments{"--top", "2"}, json{{"top", 2}}),
        std::pair(Arguments{"--threshold", "0.3"}, json{{"threshold", 0.3}})}) {
    json body = {{"documents", test_documents()}};
    body.update(members);
    const json answer = server.predict(body);
    EXPECT_EQ(answer["model"], "model");
    const std::vector<json> expected = predicted(options);
    ASSERT_EQ(answer["documents"].size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const json& document = answer["documents"][i];
      EXPECT_EQ(document["id"], expected[i]["id"]);
      ASSERT_EQ(document["labels"].size(), expected[i]["labels"].size());
      for (std::size_t k = 0; k < expected[i]["labels"].size(); ++k) {
        EXPECT_EQ(document["labels"][k]["label"], expected[i]["labels"][k]["label"]);
        // Sums over another batch may round otherwise.
        EXPECT_NEAR(document["labels"][k]["score"], expected[i]["labels"][k]["score"], 1e-5);
      }
    }
  }
  const json all = server.predict({{"text", "green leaf"}, {"all_scores", true}});
  EXPECT_EQ(all["documents"][0]["scores"].size(), tiny_labels().size());

  const json labels = json::parse(server.get("/v1/labels").body)["labels"];
  EXPECT_EQ(labels.size(), tiny_labels().size());
  EXPECT_EQ(labels[0]["level"], 1);
  const json models = json::parse(server.get("/v1/models").body)["models"];
  EXPECT_EQ(models[0]["kind"], "la-hcn");
  EXPECT_EQ(models[0]["levels"], json({3, 4, 2}));
  EXPECT_EQ(json::parse(server.get("/v1/examples").body)["examples"].size(),
            tiny_corpus().test.size());
  EXPECT_THAT(server.get("/").body, HasSubstr("<html"));

  server.process().send(SIGTERM);
  const ProcessResult result = server.process().wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("POST /v1/predict 200"));
  EXPECT_THAT(result.err, Not(HasSubstr("green leaf")));
}

TEST_F(Serve, ExplainsAsTheProgramDoes) {
  RunningServer server({project_->model(), "--quiet"});
  const std::string text = "Ä — „Green“ leaf; 緑の茶 🍵 pot";
  const ProcessResult expected =
      hmtc_program({"explain", project_->model(), "--text", text, "--top", "3", "--json"});
  ASSERT_EQ(expected.exit_code, 0) << expected.err;
  const RawAnswer answer =
      RawClient(server.port())
          .post(
              "/v1/explain",
              json{{"text", text}, {"top", 3}, {"components", true}, {"all_scores", true}}.dump());
  ASSERT_EQ(answer.status, 200) << answer.body;
  EXPECT_THAT(answer.body, testing::StartsWith("{\"model\":\"model\","));
  json found = json::parse(answer.body);
  EXPECT_EQ(found["scores"].size(), tiny_labels().size());
  found.erase("scores");
  json wanted = json::parse(expected.out);
  wanted["model"] = "model";
  EXPECT_EQ(found["labels"].size(), 3U);
  EXPECT_FALSE(found["components"].empty());
  EXPECT_EQ(found, wanted);
}

TEST_F(Serve, RefusesExplanationsThatWouldBeTooLarge) {
  // It reads whole documents, however long.
  const std::string linear = project_->path("linear");
  const ProcessResult trained =
      hmtc_program(project_->train_arguments(linear, {"--model", "linear"}));
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  RunningServer server({linear, "--quiet", "--max-words", "200000"});
  std::string text;
  for (int i = 0; i < 60'000; ++i) text += "tea;";
  const auto explain = [](const RunningServer& asked, const json& body) {
    return RawClient(asked.port()).post("/v1/explain", body.dump());
  };
  const RawAnswer answer = explain(server, {{"text", text}, {"top", 9}});
  EXPECT_EQ(answer.status, 413);
  EXPECT_THAT(answer.message(),
              HasSubstr("at most 500000 weights (labels times words), found 540000"));
  EXPECT_EQ(explain(server, {{"text", text}, {"top", 1}}).status, 200);
  const RunningServer strict({linear, "--quiet"});
  EXPECT_EQ(explain(strict, {{"text", text}, {"top", 1}}).status, 413);
}

TEST_F(Serve, ASignalToLoadAnewThatComesEarlyIsNotLost) {
  RunningServer server({project_->model(), "--quiet"}, SIGHUP);
  server.wait_until("the model is loaded twice", [&] {
    return server.get("/metrics").body.find("result=\"ok\"} 2\n") != std::string::npos;
  });
}

TEST_F(Serve, TakesANewModelWhileItServesAndRefusesADamagedOne) {
  const std::string place = project_->path("swapped");
  std::filesystem::copy(project_->model(), place, std::filesystem::copy_options::recursive);
  RunningServer server({place, "--quiet"});
  const auto loads = [&](const std::string& result, int count) {
    return server.get("/metrics")
               .body.find("result=\"" + result + "\"} " + std::to_string(count) + "\n") !=
           std::string::npos;
  };
  const ProcessResult trained =
      hmtc_program(project_->train_arguments(place, {"--model", "flat", "--restart"}));
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  server.wait_until("the new model is there", [&] { return loads("ok", 2); });
  EXPECT_EQ(json::parse(server.get("/v1/models").body)["models"][0]["kind"], "flat");

  std::filesystem::resize_file(place + "/model.safetensors", 100);
  server.wait_until("the damaged model is refused", [&] { return loads("failed", 1); });
  EXPECT_EQ(server.predict({{"text", "green leaf"}})["documents"].size(), 1U);
  server.process().send(SIGHUP);
  server.wait_until("it is refused again", [&] { return loads("failed", 2); });
  EXPECT_EQ(server.predict({{"text", "green leaf"}})["documents"].size(), 1U);

  server.process().send(SIGINT);
  const ProcessResult result = server.process().wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("not replaced, the one in use stays"));
}

TEST_F(Serve, AsksForTheTokenInTheFile) {
  const std::string token = project_->directory().write("token", "s3cret\n");
  RunningServer server({project_->model(), "--token-file", token});
  EXPECT_EQ(server.get("/v1/models").status, 401);
  EXPECT_EQ(RawClient(server.port()).get("/v1/models", "Authorization: Bearer s3cret\r\n").status,
            200);
}

TEST_F(Serve, WhatIsWrongAtTheStartEndsItWithItsExitCode) {
  EXPECT_EQ(hmtc_program({"serve"}).exit_code, 2);
  EXPECT_EQ(hmtc_program({"serve", project_->model(), "--port", "70000"}).exit_code, 2);
  EXPECT_EQ(hmtc_program({"serve", "a/m", "b/m"}).exit_code, 2);
  const ProcessResult missing = hmtc_program({"serve", project_->path("none"), "--port", "0"});
  EXPECT_EQ(missing.exit_code, 4) << missing.err;
  EXPECT_THAT(missing.err, HasSubstr("none"));
  const ProcessResult host = hmtc_program({"serve", project_->model(), "--host", "not a host"});
  EXPECT_EQ(host.exit_code, 4) << host.err;
  const ProcessResult memory =
      hmtc_program({"serve", project_->model(), "--max-body", "200000", "--max-memory", "100000"});
  EXPECT_EQ(memory.exit_code, 2) << memory.err;
  EXPECT_THAT(memory.err, HasSubstr("--max-memory"));
  EXPECT_EQ(hmtc_program({"serve", project_->model(), "--deadline", "nan"}).exit_code, 2);
  EXPECT_EQ(hmtc_program({"serve", project_->model(), "--queue", "5000"}).exit_code, 2);
  const std::string empty = project_->directory().write("empty", "\n");
  EXPECT_EQ(hmtc_program({"serve", project_->model(), "--token-file", empty}).exit_code, 3);
}

}  // namespace
}  // namespace hmtc
