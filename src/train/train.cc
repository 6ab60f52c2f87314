#include "train/train.h"

#include <fmt/format.h>

#include "artifact/model_directory.h"
#include "base/error.h"
#include "base/files.h"
#include "config/ingredients.h"
#include "network/model_names.h"
#include "train/linear_run.h"
#include "train/run_folder.h"
#include "train/training_data.h"

namespace hmtc {
namespace {

/// Keys that may differ when a run goes on: they do not change what a step does, unless the
/// learning rate falls to the last epoch.
Config without_free_keys(Config config, bool with_epochs) {
  const Config defaults;
  if (!with_epochs) config.train.epochs = defaults.train.epochs;
  config.train.patience = defaults.train.patience;
  config.train.checkpoint_minutes = defaults.train.checkpoint_minutes;
  return config;
}

Config saved_config(const std::string& json) {
  Config config;
  set_from_json(config, json, "the configuration of the run");
  return config;
}

/// Throws unless the checkpoint belongs to a run with this data and configuration.
void check_same_run(const Checkpoint& checkpoint, const TrainingData& data) {
  const Config saved = saved_config(checkpoint.config);
  const bool with_epochs = saved.train.schedule == Schedule::kCosine;
  Config now = without_free_keys(data.config, with_epochs);
  Config then = without_free_keys(saved, with_epochs);
  const auto require_same = [](const std::string& what, const std::string& was,
                               const std::string& is) {
    if (was == is) return;
    throw Error(ErrorKind::kUsage,
                fmt::format("--resume: the run was started with {}{}, found {}; give the same or "
                            "begin anew with --restart",
                            what, was, is));
  };
  const std::vector<Field> fields_now = now.fields();
  const std::vector<Field> fields_then = then.fields();
  const auto require_same_setting = [&](std::size_t i) {
    require_same(fmt::format("{}=", fields_now[i].key), to_text(fields_then[i]),
                 to_text(fields_now[i]));
  };
  // Model and profile bring other defaults, so that they come first.
  require_same("--model ", then.model.name, now.model.name);
  for (std::size_t i = 0; i < fields_now.size(); ++i) {
    if (std::string_view(fields_now[i].key) == "model.profile") require_same_setting(i);
  }
  for (std::size_t i = 0; i < fields_now.size(); ++i) require_same_setting(i);
  if (checkpoint.fingerprint != data.fingerprint()) {
    throw Error(ErrorKind::kUsage,
                "--resume: the run was started with other data, other --embeddings or another "
                "--teacher; give the same ones or begin anew with --restart");
  }
}

/// Of all that the model of a finished run comes from.
std::string fingerprint_of_run(const TrainRequest& request, const TrainingData& data) {
  if (!data.is_to_refit()) return data.fingerprint();
  return data.fingerprint() + read_all_documents(request, data.config).fingerprint();
}

/// Whether the model that is there is the one that this request would give.
bool is_same_run(const FinishedRun& finished, const TrainRequest& request,
                 const TrainingData& data) {
  const auto relevant = [](Config config) {
    config.train.checkpoint_minutes = Config().train.checkpoint_minutes;
    return to_json(config);
  };
  return relevant(finished.config) == relevant(data.config) &&
         finished.fingerprint == fingerprint_of_run(request, data);
}

}  // namespace

StopToken::Wish wish_of(const TrainRequest& request, double seconds) {
  if (request.stop != nullptr && request.stop->is_set()) return request.stop->wish();
  const bool is_over = request.minutes > 0 && seconds >= 60 * request.minutes;
  return is_over ? StopToken::Wish::kFinish : StopToken::Wish::kNone;
}

TrainResult train(const TrainRequest& original) {
  TrainRequest request = original;
  TrainObserver nobody;
  if (request.observer == nullptr) request.observer = &nobody;
  require_known_model(request.config.model.name);
  require_possible_ingredients(request.config);
  if (request.config.model.name != "linear" && request.train_network == nullptr) {
    throw Error(ErrorKind::kUsage,
                fmt::format("model {} is a network, and what trains networks is not part of this "
                            "program; use hmtc-trainer, or train the linear model",
                            request.config.model.name));
  }
  if (request.resume && request.restart) {
    throw Error(ErrorKind::kUsage,
                "expected --resume or --restart, found both; go on with a run or throw it away");
  }
  if (request.config.model.name == "linear" && !request.embeddings.empty()) {
    throw Error(ErrorKind::kUsage,
                "--embeddings: the linear model uses no word vectors; leave it "
                "out");
  }
  if (request.config.model.name == "linear" && !request.teacher.empty()) {
    throw Error(ErrorKind::kUsage,
                "--teacher: the linear model learns from labels alone; leave it out");
  }
  if (!request.teacher.empty() && one_spelling(request.teacher) == one_spelling(request.out)) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--out {}: expected another directory than --teacher, which the model "
                            "would replace; choose a new one",
                            request.out.string()));
  }
  RunFolder folder(request);
  std::optional<Checkpoint> checkpoint = folder.checkpoint();
  const std::optional<FinishedRun> finished =
      request.resume && !checkpoint ? folder.finished() : std::nullopt;
  // The number of threads is part of what a step does; "all" means as many as the run began with.
  if (request.config.train.threads == 0) {
    if (checkpoint) request.config.train.threads = saved_config(checkpoint->config).train.threads;
    if (finished) request.config.train.threads = finished->config.train.threads;
  }
  TrainingData data = read_training_data(request);
  if (checkpoint) check_same_run(*checkpoint, data);
  if (finished && is_same_run(*finished, request, data)) {
    request.observer->on_message(
        "the run is finished and its model written; nothing is left to do");
    return {TrainOutcome::kFinished, finished->score};
  }
  if (request.resume && !checkpoint && is_model_directory(request.out)) {
    request.observer->on_message(fmt::format(
        "warning: no unfinished run in {}; a new one begins, and its model will replace the one "
        "there",
        request.out.string()));
  }
  folder.open();
  if (data.config.model.name == "linear") {
    folder.forget_metrics();
    const auto [result, is_whole] = train_linear(request, data);
    if (is_whole) {
      folder.finish({data.config, fingerprint_of_run(request, data), result.best_score});
    }
    return result;
  }
  return request.train_network(request, std::move(data), folder, std::move(checkpoint));
}

}  // namespace hmtc
