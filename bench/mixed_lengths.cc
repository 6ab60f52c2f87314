// What documents of mixed lengths save: training steps over a sample of an epoch's batches, each
// once as it is and once with every document as long as the longest may be, which is what padding
// all of them costs. Both in turns, so that a noisy machine disturbs both alike.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <iostream>

#include "base/parallel.h"
#include "learn/adam.h"
#include "learn/batches.h"
#include "learn/gradient_workers.h"
#include "model/model_table.h"
#include "train/trainer_program.h"
#include "train/training_data.h"

namespace {

class Silent : public hmtc::TrainObserver {
  void on_message(const std::string& message) override { fmt::print(stderr, "{}\n", message); }
  void on_step(const hmtc::StepProgress&) override {}
  void on_validation(const hmtc::ValidationReport&) override {}
};

/// The same documents, their words repeated until there are `length` of them.
hmtc::Corpus lengthened(const hmtc::Corpus& corpus, std::size_t length) {
  hmtc::Corpus longer;
  for (std::size_t i = 0; i < corpus.size(); ++i) {
    const auto words = corpus.words_of(i);
    std::vector<std::int32_t> repeated(length, 1);
    for (std::size_t k = 0; k < length && !words.empty(); ++k)
      repeated[k] = words[k % words.size()];
    longer.append(corpus.ids[i], repeated, corpus.labels_of(i));
  }
  return longer;
}

struct Step {
  hmtc::GradientWorkers& workers;
  hmtc::Adam& adam;
  std::size_t num_labels;

  double seconds(const hmtc::Corpus& corpus, const std::vector<std::size_t>& documents) const {
    const auto start = std::chrono::steady_clock::now();
    workers.accumulate(corpus, documents, num_labels, /*seed=*/0);
    adam.step(1e-3, 2.0);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
};

void run(const std::string& directory, std::size_t num_batches, int threads) {
  torch::set_num_threads(1);  // as learning does
  Silent observer;
  hmtc::TrainRequest request;
  request.data = directory;
  request.observer = &observer;
  const hmtc::TrainingData data = hmtc::read_training_data(request);
  const auto longest = static_cast<std::size_t>(data.config.train.max_words);
  const hmtc::Corpus padded = lengthened(data.train, longest);
  const auto make = [&] {
    return hmtc::make_model(data.config, data.hierarchy,
                            static_cast<std::int64_t>(data.vocabulary.size()));
  };
  const std::shared_ptr<hmtc::Model> model = make();
  hmtc::GradientWorkers workers(model, static_cast<std::size_t>(threads), make);
  hmtc::Adam adam(*model, threads);
  const Step step{workers, adam, data.hierarchy.num_labels()};
  const auto batches = hmtc::plan_epoch(
      data.train, static_cast<std::size_t>(data.config.train.batch_size), /*seed=*/0, /*epoch=*/0);
  num_batches = std::min(num_batches, batches.size());

  step.seconds(padded, batches.front());  // not counted
  double mixed_seconds = 0, padded_seconds = 0;
  std::size_t documents = 0, words = 0;
  for (std::size_t i = 0; i < num_batches; ++i) {
    const auto& batch = batches[i * batches.size() / num_batches];
    mixed_seconds += step.seconds(data.train, batch);
    padded_seconds += step.seconds(padded, batch);
    documents += batch.size();
    for (const std::size_t document : batch) words += data.train.words_of(document).size();
  }
  const auto count = static_cast<double>(documents);
  fmt::print(
      "{{\"documents\": {}, \"mean_words\": {:.1f}, \"padded_to\": {}, "
      "\"documents_per_second\": {:.1f}, \"padded_documents_per_second\": {:.1f}, "
      "\"ratio\": {:.2f}}}\n",
      documents, static_cast<double>(words) / count, longest, count / mixed_seconds,
      count / padded_seconds, padded_seconds / mixed_seconds);
}

}  // namespace

int main(int argc, char** argv) {
  hmtc::begin_as_trainer_program(argv);
  std::string data;
  std::size_t batches = 100;
  int threads = hmtc::hardware_threads();
  CLI::App app("What documents of mixed lengths save beside padding all of them");
  app.add_option("DATA", data, "a data directory")->required();
  app.add_option("--batches", batches, "batches of the epoch to run");
  app.add_option("--threads", threads, "threads");
  CLI11_PARSE(app, argc, argv);
  try {
    run(data, batches, threads);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}
