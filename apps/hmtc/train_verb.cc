#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "model/model_names.h"
#include "signals.h"
#include "train/train.h"
#include "train_progress.h"
#include "verbs.h"

namespace hmtc {
namespace {

/// The defaults of model and profile, and over them the settings of the file and the command line,
/// which may name both.
Config config_of(const std::string& model, const std::string& file,
                 const std::vector<std::string>& assignments) {
  const auto with_settings = [&](Config config) {
    if (!file.empty()) set_from_file(config, file);
    for (const std::string& assignment : assignments) config.set(assignment);
    if (!model.empty()) config.model.name = model;
    return config;
  };
  const std::string unless_named = Config().model.name;
  const Config named = with_settings(default_config(model.empty() ? unless_named : model));
  return with_settings(default_config(named.model.name, named.model.profile));
}

}  // namespace

void add_train_verb(CLI::App& program, int& exit_code) {
  struct Arguments {
    TrainRequest request;
    std::string config_file;
    std::vector<std::string> assignments;
    std::string model;
    std::string threads;
    std::string seed;
  };
  CLI::App* verb = program.add_subcommand("train", "Train a model on a data directory");
  const auto arguments = std::make_shared<Arguments>();
  verb->add_option("--data", arguments->request.data, "data directory")->required();
  verb->add_option("--out", arguments->request.out, "model directory to write")->required();
  CLI::Option* model =
      verb->add_option("--model", arguments->model,
                       fmt::format("{} or linear", fmt::join(neural_model_names(), ", ")));
  verb->add_option("--config", arguments->config_file,
                   "file of settings: JSON, or lines key = value");
  verb->add_option("--set", arguments->assignments, "key=value; `hmtc config` lists the keys");
  verb->add_option("--embeddings", arguments->request.embeddings,
                   "word vectors: GloVe, word2vec, fastText text, .gz of them, wink JSON");
  verb->add_option(
      "--teacher", arguments->request.teacher,
      "a model whose probabilities are learnt beside the labels, also of spliced documents");
  verb->add_option("--threads", arguments->threads, "as train.threads");
  verb->add_option("--seed", arguments->seed, "as train.seed");
  verb->add_flag("--resume", arguments->request.resume, "go on with an unfinished run in --out");
  verb->add_flag("--restart", arguments->request.restart, "throw an unfinished run in --out away");
  verb->callback([arguments, model, &exit_code] {
    TrainRequest& request = arguments->request;
    request.config = config_of(model->count() > 0 ? arguments->model : "", arguments->config_file,
                               arguments->assignments);
    if (!arguments->threads.empty()) request.config.set("train.threads", arguments->threads);
    if (!arguments->seed.empty()) request.config.set("train.seed", arguments->seed);

    // Until then there is nothing to save, and a signal ends the program as it ends any other.
    TrainProgress progress(catch_signals);
    request.observer = &progress;
    request.stop = &stop_flag();
    const TrainResult result = train(request);
    if (result.outcome == TrainOutcome::kInterrupted) {
      progress.on_message(fmt::format("stopped; the run is saved in {}, --resume goes on with it",
                                      (request.out / "run").string()));
      exit_code = 128 + caught_signal();
      return;
    }
    progress.on_message(fmt::format("model written to {}, validation AU(PRC) {:.4f}",
                                    request.out.string(), result.best_score));
  });
}

}  // namespace hmtc
