// Models that are replaced while requests come in.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/spdlog.h>

#include <future>

#include "base/files.h"
#include "serve/fake_served_model.h"
#include "serve/server.h"
#include "support/raw_client.h"
#include "support/temporary_directory.h"

namespace hmtc {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

class Swap : public testing::Test {
 protected:
  void SetUp() override {
    spdlog::set_level(spdlog::level::off);
    options_.logs_exchanges = false;
    options_.look_every = milliseconds(2);
    write("0");
    server_ = std::make_unique<Server>(
        options_, std::vector<std::filesystem::path>{directory_.path() / "m"},
        [](const std::filesystem::path& path) -> std::shared_ptr<ServedModel> {
          const std::string mark = read_file(path / "manifest.json");
          if (mark == "corrupt") throw Error(ErrorKind::kModel, "a corrupt model");
          return std::make_shared<FakeServedModel>(mark, milliseconds(1));
        });
    server_->load();
  }
  void TearDown() override {
    server_.reset();
    spdlog::set_level(spdlog::level::info);
  }

  void write(const std::string& mark) {
    directory_.write("next", mark);
    std::filesystem::create_directory(directory_.path() / "m");
    std::filesystem::rename(directory_.path() / "next", directory_.path() / "m/manifest.json");
  }

  /// The mark of the model that answers now.
  static std::string mark(RawClient& client) {
    const RawAnswer answer = client.post("/v1/predict", R"({"text": "a"})");
    EXPECT_EQ(answer.status, 200) << answer.body;
    return answer.json()["documents"][0]["labels"][0]["label"];
  }

  TemporaryDirectory directory_;
  ServeOptions options_;
  std::unique_ptr<Server> server_;
};

TEST_F(Swap, FiftyTimesUnderLoadFailsNoRequest) {
  std::atomic<bool> stop = false;
  std::vector<std::future<std::size_t>> clients;
  for (int i = 0; i < 8; ++i) {
    clients.push_back(std::async(std::launch::async, [&] {
      RawClient client(server_->port());
      std::size_t requests = 0;
      int newest = 0;
      while (!stop) {
        const int seen = std::stoi(mark(client));
        EXPECT_GE(seen, newest);  // never back to a model that was replaced
        newest = seen;
        ++requests;
      }
      return requests;
    }));
  }
  RawClient watcher(server_->port());
  for (int i = 1; i <= 50; ++i) {
    write(std::to_string(i));
    while (mark(watcher) != std::to_string(i)) {
    }
    if (i % 10 == 0) {
      write("corrupt");
      const std::string refused = "result=\"failed\"} " + std::to_string(i / 10) + "\n";
      while (watcher.get("/metrics").body.find(refused) == std::string::npos) {
      }
      EXPECT_EQ(mark(watcher), std::to_string(i));
    }
  }
  stop = true;
  for (auto& client : clients) EXPECT_GT(client.get(), 0U);
  EXPECT_THAT(watcher.get("/metrics").body, HasSubstr("result=\"ok\"} 51\n"));
}

TEST_F(Swap, OnRequestLoadsAnewWhatHasNotChanged) {
  RawClient client(server_->port());
  server_->reload();
  while (client.get("/metrics").body.find("result=\"ok\"} 2\n") == std::string::npos) {
  }
  EXPECT_EQ(mark(client), "0");
}

}  // namespace
}  // namespace hmtc
