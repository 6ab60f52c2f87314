#include "serve/api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/spdlog.h>

#include <nlohmann/json.hpp>

#include "serve/fake_served_model.h"
#include "serve/web_files.h"

namespace hmtc {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class ApiTest : public testing::Test {
 protected:
  ApiTest()
      : models_(
            {"models/first", "models/second"},
            [](const std::filesystem::path& path) {
              return std::make_shared<FakeServedModel>(path.filename().string());
            },
            metrics_),
        batcher_({}, metrics_) {
    settings_.examples = R"({"examples":[]})";
  }

  Api& api() {
    if (!api_) {
      api_ = std::make_unique<Api>(
          settings_, ApiParts{models_, batcher_, metrics_, [] { return std::size_t{7}; }});
    }
    return *api_;
  }

  HttpResponse answer(const std::string& method, const std::string& path,
                      const std::string& body = {}) {
    request_.method = method;
    request_.path = path;
    request_.body = body;
    request_.arrived = Clock::now();
    request_.client_gone = std::make_shared<std::atomic<bool>>(false);
    return api().answer(request_);
  }

  HttpResponse predict(const std::string& body) { return answer("POST", "/v1/predict", body); }
  HttpResponse explain(const std::string& body) { return answer("POST", "/v1/explain", body); }

  static std::string header(const HttpResponse& response, const std::string& name) {
    for (const auto& [key, value] : response.headers) {
      if (key == name) return value;
    }
    return {};
  }

  /// The message, after a check that the error has the common form.
  static std::string message(const HttpResponse& response) {
    const json error = json::parse(response.body).at("error");
    EXPECT_EQ(error.at("status"), response.status);
    return error.at("message");
  }

  Metrics metrics_;
  ModelStore models_;
  Batcher batcher_;
  ApiSettings settings_;
  HttpRequest request_;
  std::unique_ptr<Api> api_;
};

TEST_F(ApiTest, BeforeModelsAreLoadedItLivesButIsNotReady) {
  EXPECT_EQ(answer("GET", "/health/live").status, 200);
  const HttpResponse ready = answer("GET", "/health/ready");
  EXPECT_EQ(ready.status, 503);
  EXPECT_THAT(message(ready), HasSubstr("being loaded"));
  const HttpResponse early = predict(R"({"text": "a"})");
  EXPECT_EQ(early.status, 503);
  EXPECT_EQ(header(early, "Retry-After"), "1");
  EXPECT_EQ(json::parse(answer("GET", "/v1/models").body), json::parse(R"({"models": []})"));
}

TEST_F(ApiTest, ReadyMeansLoadedAndNotDraining) {
  models_.load();
  EXPECT_EQ(answer("GET", "/health/ready").body, R"({"status":"ok"})");
  api().start_draining();
  EXPECT_EQ(answer("GET", "/health/ready").status, 503);
  EXPECT_EQ(answer("GET", "/health/live").status, 200);
}

TEST_F(ApiTest, PredictsWithTheFirstModelOrTheNamedOne) {
  models_.load();
  EXPECT_EQ(json::parse(predict(R"({"text": "a"})").body), json::parse(R"({"model": "first",
      "documents": [{"id": "1", "labels": [{"label": "first", "score": 0.5}]}]})"));
  EXPECT_EQ(json::parse(predict(R"({"texts": ["a", "b"], "model": "second"})").body),
            json::parse(R"({"model": "second", "documents": [
                {"id": "1", "labels": [{"label": "second", "score": 0.5}]},
                {"id": "2", "labels": [{"label": "second", "score": 0.5}]}]})"));
  EXPECT_EQ(json::parse(predict(R"({"texts": []})").body),
            json::parse(R"({"model": "first", "documents": []})"));
  EXPECT_EQ(json::parse(predict(R"({"text": "a", "all_scores": true})").body)["documents"][0],
            json::parse(R"({"id": "1", "scores": {"top": 0.75, "leaf": 0.5}})"));
}

TEST_F(ApiTest, AnUnknownModelIs404AndTheOthersAreNamed) {
  models_.load();
  const HttpResponse response = predict(R"({"text": "a", "model": "third"})");
  EXPECT_EQ(response.status, 404);
  EXPECT_THAT(message(response), HasSubstr("first, second"));
}

TEST_F(ApiTest, WhatTheModelSaysAboutADocumentIs400AndItsDefectsAreNotTold) {
  models_.load();
  const HttpResponse bad = predict(R"({"text": "bad"})");
  EXPECT_EQ(bad.status, 400);
  EXPECT_EQ(message(bad), "a bad document");
  spdlog::set_level(spdlog::level::off);
  const HttpResponse defect = predict(R"({"text": "defect"})");
  spdlog::set_level(spdlog::level::info);
  EXPECT_EQ(defect.status, 500);
  EXPECT_THAT(message(defect), Not(HasSubstr("secret")));
}

TEST_F(ApiTest, ExplainsAndPutsTheModelInFront) {
  models_.load();
  EXPECT_EQ(explain(R"({"text": "a", "labels": ["leaf"]})").body,
            R"({"model":"first","text":"a","asked":1})");
  const HttpResponse unknown = explain(R"({"text": "a", "labels": ["leaf", "twig"]})");
  EXPECT_EQ(unknown.status, 400);
  EXPECT_THAT(message(unknown), HasSubstr("\"twig\""));
}

TEST_F(ApiTest, AnExplanationThatWouldBeTooLargeIs413) {
  models_.load();
  const HttpResponse refused = explain(R"({"text": "long"})");
  EXPECT_EQ(refused.status, 413);
  EXPECT_EQ(message(refused), "too many weights");
}

TEST_F(ApiTest, ListsLabelsAndModels) {
  models_.load();
  EXPECT_EQ(json::parse(answer("GET", "/v1/labels").body)["model"], "first");
  request_.query = {{"model", "second"}};
  const json labels = json::parse(answer("GET", "/v1/labels").body);
  EXPECT_EQ(labels["model"], "second");
  EXPECT_EQ(labels["labels"].size(), 2U);
  request_.query = {{"model", "third"}};
  EXPECT_EQ(answer("GET", "/v1/labels").status, 404);

  json models = json::parse(answer("GET", "/v1/models").body)["models"];
  ASSERT_EQ(models.size(), 2U);
  models[0].erase("loaded");
  EXPECT_EQ(models[0], json::parse(R"({"name": "first", "kind": "fake", "labels": 2,
                                       "levels": [1, 1], "default": true})"));
  EXPECT_EQ(models[1]["default"], false);
}

TEST_F(ApiTest, UnknownPathsAndMethodsAreAnsweredInTheCommonForm) {
  EXPECT_EQ(answer("GET", "/v2/predict").status, 404);
  EXPECT_EQ(answer("GET", "/v1/predict/").status, 404);
  const HttpResponse get = answer("GET", "/v1/predict");
  EXPECT_EQ(get.status, 405);
  EXPECT_EQ(header(get, "Allow"), "POST");
  EXPECT_EQ(get.route, "/v1/predict");
  const HttpResponse remove = answer("DELETE", "/v1/models");
  EXPECT_EQ(remove.status, 405);
  EXPECT_EQ(header(remove, "Allow"), "GET, HEAD");
  EXPECT_FALSE(message(remove).empty());
  EXPECT_EQ(answer("GET", "/somebody's text").route, "other");
}

TEST_F(ApiTest, WithATokenOnlyHealthAndThePageAreOpen) {
  settings_.token = "abc";
  models_.load();
  for (const char* path : {"/health/live", "/health/ready", "/", "/web/index.html"}) {
    EXPECT_EQ(answer("GET", path).status, 200) << path;
  }
  for (const char* path :
       {"/v1/models", "/v1/labels", "/v1/examples", "/metrics", "/openapi.json"}) {
    const HttpResponse refused = answer("GET", path);
    EXPECT_EQ(refused.status, 401) << path;
    EXPECT_EQ(header(refused, "WWW-Authenticate"), "Bearer");
  }
  for (const char* wrong : {"abc", "Bearer ", "Bearer ab", "Bearer abd", "Bearer abcd",
                            "Bearer abcabc", "Basic abc", "Bearer  abc"}) {
    request_.authorization = wrong;
    EXPECT_EQ(answer("GET", "/v1/models").status, 401) << wrong;
  }
  request_.authorization = "Bearer abc";
  EXPECT_EQ(answer("GET", "/v1/models").status, 200);
  EXPECT_EQ(predict(R"({"text": "a"})").status, 200);
}

TEST_F(ApiTest, AServerForThisMachineRefusesOtherNames) {
  settings_.for_this_machine = true;
  models_.load();
  for (const char* host :
       {"", "localhost", "LocalHost:8080", "127.0.0.1:8080", "127.1.2.3", "[::1]:8080", "[::1]"}) {
    request_.host = host;
    EXPECT_EQ(answer("GET", "/v1/models").status, 200) << host;
  }
  for (const char* host : {"evil.example", "evil.example:8080", "127.0.0.1.evil.example",
                           "localhost.evil.example", "10.0.0.1", "[::2]:8080"}) {
    request_.host = host;
    const HttpResponse refused = answer("GET", "/v1/models");
    EXPECT_EQ(refused.status, 421) << host;
    EXPECT_THAT(message(refused), testing::HasSubstr("localhost"));
  }
}

TEST_F(ApiTest, AServerForOthersTakesAnyName) {
  models_.load();
  request_.host = "labels.example.org";
  EXPECT_EQ(answer("GET", "/v1/models").status, 200);
}

TEST_F(ApiTest, ThePageComesWithItsHeadersAndAnETag) {
  const HttpResponse page = answer("GET", "/");
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.content_type, "text/html; charset=utf-8");
  EXPECT_THAT(page.body, HasSubstr("<html"));
  EXPECT_THAT(header(page, "Content-Security-Policy"), HasSubstr("default-src 'self'"));
  EXPECT_EQ(header(page, "Referrer-Policy"), "no-referrer");
  EXPECT_EQ(header(page, "Access-Control-Allow-Origin"), "");
  request_.if_none_match = header(page, "ETag");
  EXPECT_EQ(answer("GET", "/web/index.html").status, 304);
  request_.if_none_match = "\"another\"";
  EXPECT_EQ(answer("GET", "/web/index.html").status, 200);
  for (const char* path : {"/web/", "/web/none.js", "/web/../api.cc"}) {
    EXPECT_EQ(answer("GET", path).status, 404) << path;
  }
}

TEST_F(ApiTest, EveryFileOfThePageIsServedWithATypeOfItsOwn) {
  for (const EmbeddedFile& file : web_files()) {
    const HttpResponse response = answer("GET", "/web/" + std::string(file.name));
    EXPECT_EQ(response.status, 200) << file.name;
    EXPECT_EQ(response.body, file.content) << file.name;
    EXPECT_NE(response.content_type, "application/octet-stream") << file.name;
  }
}

TEST_F(ApiTest, MetricsAreText) {
  const HttpResponse metrics = answer("GET", "/metrics");
  EXPECT_THAT(metrics.content_type, HasSubstr("text/plain"));
  EXPECT_THAT(metrics.body, HasSubstr("hmtc_connections 7\n"));
  EXPECT_THAT(metrics.body, HasSubstr("hmtc_ready 0\n"));
}

TEST_F(ApiTest, TheOpenApiDocumentHasEveryRouteAndNoOther) {
  const json document = json::parse(answer("GET", "/openapi.json").body);
  std::vector<std::string> described;
  for (const auto& [path, methods] : document.at("paths").items()) {
    for (const auto& [method, operation] : methods.items()) {
      described.push_back((method == "post" ? "POST " : method == "get" ? "GET " : "? ") + path);
      EXPECT_TRUE(operation.contains("summary")) << path;
      EXPECT_TRUE(operation.at("responses").contains("200")) << path;
    }
  }
  EXPECT_THAT(described, testing::UnorderedElementsAreArray(api().routes()));
}

TEST_F(ApiTest, TheOpenApiDocumentDescribesTheMembersThatRequestsMayHave) {
  const json schemas = json::parse(answer("GET", "/openapi.json").body)["components"]["schemas"];
  models_.load();
  // A request with an unknown member is told all that there are.
  for (const auto& [path, schema] :
       {std::pair("/v1/predict", "PredictRequest"), std::pair("/v1/explain", "ExplainRequest")}) {
    const std::string known = message(answer("POST", path, R"({"?": 1})"));
    for (const auto& [name, member] : schemas.at(schema).at("properties").items()) {
      EXPECT_THAT(known, HasSubstr(name));
    }
    EXPECT_EQ(std::count(known.begin(), known.end(), ','),
              static_cast<std::ptrdiff_t>(schemas.at(schema).at("properties").size()));
  }
}

}  // namespace
}  // namespace hmtc
