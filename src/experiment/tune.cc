#include "experiment/tune.h"

#include <fmt/format.h>

#include <algorithm>

#include "artifact/model_directory.h"
#include "base/error.h"
#include "base/files.h"
#include "experiment/search_space.h"
#include "report/escape.h"
#include "report/run_result.h"

namespace hmtc {
namespace {

namespace fs = std::filesystem;

/// A trial that is done.
struct Trial {
  fs::path file;
  RunResult result;

  double score() const { return result.validation.combined.micro; }
};

/// The best first.
std::vector<Trial> trials_in(const fs::path& folder) {
  std::vector<Trial> trials;
  if (!fs::exists(folder)) return trials;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const fs::path& file = entry.path();
    if (file.extension() == ".json")
      trials.push_back({file, parse_run_result(read_file(file), file.string())});
  }
  std::sort(trials.begin(), trials.end(), [](const Trial& a, const Trial& b) {
    return a.score() != b.score() ? a.score() > b.score() : a.file < b.file;
  });
  return trials;
}

std::string trials_table(const TuneRequest& request, const std::vector<Trial>& trials) {
  std::string text = fmt::format(
      "# Settings of {} tried\nMicro AU(PRC) on validation, the best first; all with seed {}. A "
      "difference smaller than that between two seeds says little.\n\n| validation | training | "
      "settings |\n| ---: | ---: | --- |\n",
      markdown_escaped(request.model), request.seed);
  for (const Trial& trial : trials) {
    std::string settings;
    for (const std::string& assignment : trial.result.settings)
      settings += (settings.empty() ? "" : ", ") + markdown_escaped(assignment);
    text += fmt::format("| {:.4f} | {:.0f} s | {} |\n", trial.score(), trial.result.train_seconds,
                        settings.empty() ? "the defaults" : settings);
  }
  return text;
}

/// Behind the command that trains the model again.
std::string best_settings(const TuneRequest& request, const RunResult& best) {
  const fs::path out = one_spelling(request.out);
  std::string text = fmt::format(
      "# Validation AU(PRC) {:.4f}: hmtc train --data {} --out {} --model {} --config {} --seed {} "
      "--threads {}{}\n",
      best.validation.combined.micro, one_spelling(request.data).string(), (out / "model").string(),
      request.model, (out / "best.conf").string(), request.seed, request.threads,
      request.embeddings.empty() ? ""
                                 : " --embeddings " + one_spelling(request.embeddings).string());
  for (const std::string& assignment : best.settings) {
    const std::size_t equals = assignment.find('=');
    text += assignment.substr(0, equals) + " = " + assignment.substr(equals + 1) + "\n";
  }
  return text;
}

/// The model moves to `out`/model when no other trial was better.
void keep_if_best(const TuneRequest& request, const RunResult& result, const fs::path& model) {
  const Trial trial{{}, result};  // its file is written after this
  std::vector<Trial> trials = trials_in(request.out / "search");
  const auto worse = std::find_if(trials.begin(), trials.end(), [&](const Trial& other) {
    return other.score() < trial.score();
  });
  const bool is_best = worse == trials.begin();
  trials.insert(worse, trial);
  write_file_atomically(request.out / "trials.md", trials_table(request, trials));
  if (!is_best) return;
  write_directory_atomically(request.out / "model", [&](const fs::path& folder) {
    fs::copy(model, folder, fs::copy_options::recursive | fs::copy_options::overwrite_existing);
    fs::remove_all(folder / "run");
  });
  write_file_atomically(request.out / "best.conf", best_settings(request, result));
}

/// Trials of another model or seed would stand in one table with those of this search.
void require_own_folder(const TuneRequest& request) {
  for (const auto& [file, result] : trials_in(request.out / "search")) {
    if (result.model == request.model && result.seed == request.seed) continue;
    throw Error(
        ErrorKind::kUsage,
        fmt::format("--out {}: expected the trials of {} with seed {}, found some of {} "
                    "with seed {}; choose another folder",
                    request.out.string(), request.model, request.seed, result.model, result.seed));
  }
}

/// Results outlive the model that somebody deletes; only a better trial would bring another one.
void tell_of_missing_model(const TuneRequest& request) {
  const std::vector<Trial> trials = trials_in(request.out / "search");
  const fs::path model = request.out / "model";
  if (is_model_directory(model) || trials.empty()) return;
  const fs::path settings = request.out / "best.conf";
  if (!fs::exists(settings))
    write_file_atomically(settings, best_settings(request, trials.front().result));
  request.on_message(fmt::format("{} is missing; the first line of {} says how to train it again",
                                 model.string(), settings.string()));
}

}  // namespace

ExperimentOutcome run_tuning(const TuneRequest& request) {
  require_own_folder(request);
  ExperimentRequest experiment;
  experiment.out = request.out;
  experiment.data = request.data;
  experiment.embeddings = request.embeddings;
  experiment.on_message = request.on_message;
  experiment.stop = request.stop;
  experiment.on_trial = [&](const RunResult& result, const fs::path& model) {
    keep_if_best(request, result, model);
  };
  Plan& plan = experiment.plan;
  plan.title = "tune " + request.model;
  plan.data.directory = "{data}";
  plan.data.description = "validation of " + one_spelling(request.data).filename().string();
  plan.wants_embeddings = !request.embeddings.empty();
  plan.settings = request.settings;
  plan.threads = request.threads;
  plan.minutes = request.minutes;
  plan.seeds = {request.seed};
  plan.trials_alone = true;
  PlanRow row;
  row.name = request.model;
  row.model = request.model;
  row.trials =
      draw_trials(request.model, request.settings, static_cast<std::size_t>(request.trials),
                  static_cast<std::uint64_t>(request.seed));
  plan.rows.push_back(std::move(row));
  const ExperimentOutcome outcome = run_experiment(experiment);
  tell_of_missing_model(request);
  return outcome;
}

}  // namespace hmtc
