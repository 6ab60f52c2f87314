#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <memory>

#include "train/train.h"
#include "train_progress.h"
#include "verbs.h"

namespace hmtc {
namespace {

std::atomic<bool> g_stop{false};
volatile std::sig_atomic_t g_signal = 0;

/// The first signal lets the run save and end; a second one ends it at once.
void on_signal(int signal) {
  g_signal = signal;
  g_stop.store(true);
  std::signal(signal, SIG_DFL);
}

}  // namespace

void add_train_verb(CLI::App& program, int& exit_code) {
  struct Arguments {
    TrainRequest request;
    std::string config_file;
    std::vector<std::string> assignments;
    std::string model = "la-hcn";
    std::string threads;
    std::string seed;
  };
  CLI::App* verb = program.add_subcommand("train", "Train a model on a data directory");
  const auto arguments = std::make_shared<Arguments>();
  verb->add_option("--data", arguments->request.data, "data directory")->required();
  verb->add_option("--out", arguments->request.out, "model directory to write")->required();
  CLI::Option* model = verb->add_option("--model", arguments->model, "la-hcn or linear");
  verb->add_option("--config", arguments->config_file,
                   "file of settings: JSON, or lines key = value");
  verb->add_option("--set", arguments->assignments, "key=value; `hmtc config` lists the keys");
  verb->add_option("--embeddings", arguments->request.embeddings,
                   "word vectors: GloVe, word2vec, fastText text, .gz of them, wink JSON");
  verb->add_option("--threads", arguments->threads, "as train.threads");
  verb->add_option("--seed", arguments->seed, "as train.seed");
  verb->add_flag("--resume", arguments->request.resume, "go on with an unfinished run in --out");
  verb->add_flag("--restart", arguments->request.restart, "throw an unfinished run in --out away");
  verb->callback([arguments, model, &exit_code] {
    TrainRequest& request = arguments->request;
    if (!arguments->config_file.empty()) set_from_file(request.config, arguments->config_file);
    if (model->count() > 0) request.config.model.name = arguments->model;
    for (const std::string& assignment : arguments->assignments) request.config.set(assignment);
    if (!arguments->threads.empty()) request.config.set("train.threads", arguments->threads);
    if (!arguments->seed.empty()) request.config.set("train.seed", arguments->seed);

    // Until then there is nothing to save, and a signal ends the program as it ends any other.
    TrainProgress progress([] {
      std::signal(SIGINT, on_signal);
      std::signal(SIGTERM, on_signal);
    });
    request.observer = &progress;
    request.stop = &g_stop;
    const TrainResult result = train(request);
    if (result.outcome == TrainOutcome::kInterrupted) {
      progress.on_message(fmt::format("stopped; the run is saved in {}, --resume goes on with it",
                                      (request.out / "run").string()));
      exit_code = 128 + g_signal;
      return;
    }
    progress.on_message(fmt::format("model written to {}, validation AU(PRC) {:.4f}",
                                    request.out.string(), result.best_score));
  });
}

}  // namespace hmtc
