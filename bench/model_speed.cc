// Speed of a network, LA-HCN unless told otherwise, at given sizes on made-up documents: documents
// per second (from the median step) and peak memory, as one JSON line. It learns as in hmtc-trainer
// and answers as in hmtc. bench/compare runs it beside its PyTorch twin.
#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>
#include <torch/torch.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <memory>
#include <numeric>

#include "base/random.h"
#include "base/strings.h"
#include "learn/adam.h"
#include "learn/gradient_workers.h"
#include "learn/parameter_average.h"
#include "model/model_table.h"
#include "model/parameters.h"
#include "network/network_table.h"
#include "network/scoring.h"
#include "train/trainer_program.h"

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  std::string model = "la-hcn";
  std::string labels = "8/110/42";
  std::size_t words = 120;
  std::size_t batch = 32;
  std::int64_t lstm = 256;  // width of a direction; 0: embedding alone
  std::int64_t vocabulary = 30000;
  std::string mode = "train";
  double average = 0;  // as train.average
  double seconds = 5;
  int threads = 2;
};

/// Levels of these sizes; the parents take their children in turn.
hmtc::Hierarchy make_hierarchy(const std::string& labels) {
  std::vector<hmtc::HierarchyEdge> edges;
  std::size_t above = 0, level = 0;
  for (const std::string_view size : hmtc::split_fields(labels, '/')) {
    const auto count = static_cast<std::size_t>(std::stoul(std::string(size)));
    for (std::size_t i = 0; i < count; ++i) {
      edges.push_back({fmt::format("{}.{}", level, i),
                       level == 0 ? "" : fmt::format("{}.{}", level - 1, i % above),
                       "",
                       {}});
    }
    above = count;
    ++level;
  }
  return hmtc::Hierarchy(edges);
}

hmtc::Corpus make_corpus(const Options& options, std::size_t documents, std::size_t num_labels) {
  hmtc::Random random(0);
  hmtc::Corpus corpus;
  for (std::size_t i = 0; i < documents; ++i) {
    std::vector<std::int32_t> words(options.words);
    for (std::int32_t& word : words) {
      word = static_cast<std::int32_t>(
          2 + random.below(static_cast<std::uint64_t>(options.vocabulary - 2)));
    }
    const std::array labels = {static_cast<hmtc::LabelId>(random.below(num_labels))};
    corpus.append({}, words, labels);
  }
  return corpus;
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// The median duration of a step, in seconds, after one that is not counted.
template <typename Step>
double median_seconds(double seconds, const Step& step) {
  step();
  std::vector<double> times;
  const auto begin = Clock::now();
  while (std::chrono::duration<double>(Clock::now() - begin).count() < seconds ||
         times.size() < 3) {
    const auto start = Clock::now();
    step();
    times.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

/// What is measured: a network's sizes, and documents for it.
struct Measured {
  explicit Measured(const Options& options)
      : config(hmtc::default_config(options.model, hmtc::Profile::kPaper)),
        hierarchy(make_hierarchy(options.labels)),
        vocabulary(options.vocabulary),
        corpus(make_corpus(options, options.mode == "one" ? 1 : options.batch,
                           hierarchy.num_labels())) {
    config.encoder.kind =
        options.lstm == 0 ? hmtc::EncoderKind::kEmbedding : hmtc::EncoderKind::kBiLstm;
    if (options.lstm > 0) config.encoder.lstm_width = options.lstm;
  }

  std::shared_ptr<hmtc::Model> make() const {
    return hmtc::make_model(config, hierarchy, vocabulary);
  }

  hmtc::Config config;
  hmtc::Hierarchy hierarchy;
  std::int64_t vocabulary;
  hmtc::Corpus corpus;
};

struct Speed {
  double seconds;           // of the median step
  double megabytes_before;  // the peak before the first step
};

Speed speed_of_training(const Measured& measured, const Options& options) {
  const std::shared_ptr<hmtc::Model> model = measured.make();
  std::vector<std::size_t> all(measured.corpus.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  hmtc::GradientWorkers workers(model, static_cast<std::size_t>(options.threads),
                                [&] { return measured.make(); });
  hmtc::Adam adam(*model, options.threads);
  hmtc::ParameterAverage average(*model, options.average, options.threads);
  const double before = peak_megabytes();
  std::uint64_t seed = 0;
  const double seconds = median_seconds(options.seconds, [&] {
    workers.accumulate(measured.corpus, all, measured.hierarchy.num_labels(), seed++);
    average.before_step();
    adam.step(1e-3, 2.0);
    average.after_step();
  });
  return {seconds, before};
}

Speed speed_of_answers(const Measured& measured, const Options& options) {
  std::unique_ptr<const hmtc::Network> network;
  {
    hmtc::TensorFile tensors;
    hmtc::store_parameters(*measured.make(), tensors);
    network = hmtc::make_network(measured.config, measured.hierarchy,
                                 static_cast<std::size_t>(measured.vocabulary),
                                 hmtc::Weights(tensors, "made up"));
  }
  // The peak of making it up is not that of answering.
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";
  const double before = peak_megabytes();
  const double seconds = median_seconds(options.seconds, [&] {
    hmtc::score_corpus(*network, measured.corpus, measured.hierarchy.num_labels(), options.threads);
  });
  return {seconds, before};
}

double megabytes_of_parameters(const Measured& measured) {
  double bytes = 0;
  for (const torch::Tensor& parameter : measured.make()->parameters()) {
    bytes += static_cast<double>(parameter.nbytes());
  }
  return bytes / (1 << 20);
}

void run(const Options& options) {
  torch::set_num_threads(1);  // as learning does
  const Measured measured(options);
  const Speed speed = options.mode == "train" ? speed_of_training(measured, options)
                                              : speed_of_answers(measured, options);
  const double peak = peak_megabytes();
  fmt::print(
      "{{\"documents_per_second\": {:.2f}, \"peak_mb\": {:.1f}, \"working_mb\": {:.1f}, "
      "\"parameters_mb\": {:.1f}}}\n",
      static_cast<double>(measured.corpus.size()) / speed.seconds, peak,
      peak - speed.megabytes_before, megabytes_of_parameters(measured));
}

}  // namespace

int main(int argc, char** argv) {
  hmtc::begin_as_trainer_program(argv);
  mallopt(M_MMAP_THRESHOLD, 1 << 30);  // as the program does
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  Options options;
  CLI::App app("Speed of LA-HCN on made-up documents");
  app.add_option("--model", options.model, "as `hmtc train --model` has it");
  app.add_option("--labels", options.labels, "labels per level");
  app.add_option("--words", options.words, "words of each document");
  app.add_option("--batch", options.batch, "documents of a batch");
  app.add_option("--lstm", options.lstm, "width of a direction; 0: embedding alone");
  app.add_option("--vocabulary", options.vocabulary, "words known");
  app.add_option("--mode", options.mode, "train, predict or one")
      ->check(CLI::IsMember({"train", "predict", "one"}));
  app.add_option("--average", options.average, "as train.average; 0: none");
  app.add_option("--seconds", options.seconds, "how long to measure");
  app.add_option("--threads", options.threads, "threads");
  CLI11_PARSE(app, argc, argv);
  run(options);
  return 0;
}
