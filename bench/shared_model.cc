// shared_model MODEL FILE: how many documents a second one loaded model classifies, one document a
// call, by the number of threads that call at once. FILE holds texts or tokens as JSON lines.
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "hmtc/classifier.h"

namespace {

using Clock = std::chrono::steady_clock;

std::vector<hmtc::Document> read(const char* file) {
  std::vector<hmtc::Document> documents;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    const auto json = nlohmann::json::parse(line);
    documents.push_back(json.contains("text") ? hmtc::Document::of_text(json.at("text"))
                                              : hmtc::Document::of_words(json.at("tokens")));
  }
  return documents;
}

double documents_per_second(const hmtc::Classifier& classifier,
                            const std::vector<hmtc::Document>& documents, int num_threads) {
  constexpr std::chrono::seconds kDuration{3};
  std::atomic<std::size_t> count = 0;
  const auto begin = Clock::now();
  std::vector<std::thread> threads;
  for (int i = 0; i < num_threads; ++i) {
    threads.emplace_back([&] {
      while (Clock::now() - begin < kDuration) {
        const hmtc::Document& next = documents[count++ % documents.size()];
        classifier.predict({&next, 1});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return static_cast<double>(count) / std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: shared_model MODEL FILE\n");
    return 2;
  }
  const auto classifier = hmtc::Classifier::load(argv[1], 1);
  const std::vector<hmtc::Document> documents = read(argv[2]);
  const double alone = documents_per_second(classifier, documents, 1);
  for (const int threads : {1, 2, 4, 8}) {
    const double speed =
        threads == 1 ? alone : documents_per_second(classifier, documents, threads);
    fmt::print("{} threads: {:.1f} documents/s, {:.2f} times one\n", threads, speed, speed / alone);
  }
}
