#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <optional>

#include "checks.h"
#include "network/model_names.h"
#include "output.h"
#include "signals.h"
#include "train/progress_lines.h"
#include "train/train.h"
#include "train/trainer_program.h"
#include "train_progress.h"
#include "verbs.h"

namespace hmtc {
namespace {

struct Arguments {
  TrainRequest request;
  bool json_progress = false;
  std::string config_file;
  std::vector<std::string> assignments;
  std::string model;
  std::string threads;
  std::string seed;
};

/// The model to be trained, unless only a file tells that can be read but once.
std::optional<std::string> model_name_of(const Arguments& from) {
  if (!from.model.empty()) {
    config_from(from.model, "", from.assignments);  // a mistyped key shows before anything is read
    return from.model;
  }
  const bool is_read_once =
      !from.config_file.empty() && !std::filesystem::is_regular_file(from.config_file);
  if (is_read_once) return std::nullopt;
  return config_from("", from.config_file, from.assignments).model.name;
}

/// Whether to leave it to hmtc-trainer, which is to find unread what can be read only once.
bool is_for_trainer(const Arguments& from) {
  const std::optional<std::string> name = model_name_of(from);
  if (!name) return find_trainer_program().has_value();
  require_known_model(*name);
  return *name != "linear";
}

}  // namespace

void add_train_verb(CLI::App& program, const TrainingMeans& means, int& exit_code) {
  CLI::App* verb = program.add_subcommand("train", "Train a model on a data directory");
  const auto arguments = std::make_shared<Arguments>();
  verb->add_option("--data", arguments->request.data, "data directory")->required();
  verb->add_option("--out", arguments->request.out, "model directory to write")->required();
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
  verb->add_option("--minutes", arguments->request.minutes,
                   "learn no longer than this from now on, and finish with what is best by then")
      ->check(positive_number());
  verb->add_flag("--json-progress", arguments->json_progress,
                 "progress as JSON lines on standard error, for programs");
  verb->add_flag("--resume", arguments->request.resume, "go on with an unfinished run in --out");
  verb->add_flag("--restart", arguments->request.restart, "throw an unfinished run in --out away");
  verb->callback([arguments, means, &exit_code] {
    catch_finish();
    if (means.train_network == nullptr && is_for_trainer(*arguments)) {
      become_trainer_program(means.arguments);
    }
    TrainRequest& request = arguments->request;
    request.train_network = means.train_network;
    request.config = config_from(arguments->model, arguments->config_file, arguments->assignments);
    const bool is_network = request.config.model.name != "linear";
    if (is_network && means.train_network == nullptr) require_trainer_program();
    if (!arguments->threads.empty()) request.config.set("train.threads", arguments->threads);
    if (!arguments->seed.empty()) request.config.set("train.seed", arguments->seed);

    // Until then, and ever where nothing can be saved, a signal ends the program as it ends any
    // other.
    const auto on_begin = [is_network] {
      if (is_network) catch_signals(SecondSignal::kFinishes);
    };
    TrainProgress to_people(on_begin);
    ProgressLines to_programs(on_begin, print_message);
    request.stop = &stop_token();
    if (arguments->json_progress) {
      request.observer = &to_programs;
    } else {
      request.observer = &to_people;
      request.on_pause = [&to_people] { to_people.wait_for_second_key(); };
    }
    const TrainResult result = train(request);
    const std::string out = request.out.string();
    if (result.outcome == TrainOutcome::kFinished) {
      request.observer->on_message(
          fmt::format("model written to {}, validation AU(PRC) {:.4f}", out, result.best_score));
    } else {
      request.observer->on_message(
          fmt::format("stopped; the run is saved in {}/run, --resume goes on with it", out));
      exit_code = 128 + caught_signal();
    }
    if (arguments->json_progress) to_programs.on_end(result);
  });
}

}  // namespace hmtc
