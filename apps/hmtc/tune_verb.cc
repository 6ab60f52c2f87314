#include <fmt/format.h>

#include <memory>

#include "checks.h"
#include "config/config.h"
#include "experiment/tune.h"
#include "network/model_names.h"
#include "output.h"
#include "signals.h"
#include "verbs.h"

namespace hmtc {
namespace {

/// Checked here, so that a mistyped key shows before the first trial.
Settings settings_of(const std::string& model, const std::vector<std::string>& assignments) {
  Config config = default_config(model);
  Settings settings;
  for (const std::string& assignment : assignments) {
    const auto [key, value] = parse_assignment(assignment);
    for (const auto& [name, option] :
         {std::pair{"train.seed", "--seed"}, {"train.threads", "--threads"}}) {
      if (key != name) continue;
      throw Error(ErrorKind::kUsage,
                  fmt::format("--set {}: all trials have one value; give it by {}", key, option));
    }
    config.set(key, value);
    settings[key] = value;
  }
  return settings;
}

}  // namespace

void add_tune_verb(CLI::App& program, int& exit_code) {
  struct Arguments {
    TuneRequest request;
    std::vector<std::string> assignments;
  };
  CLI::App* verb = program.add_subcommand(
      "tune", "Try settings for a model on new data until the time is up; validation decides");
  const auto arguments = std::make_shared<Arguments>();
  TuneRequest& request = arguments->request;
  request.model = "la-hcn";
  verb->add_option("--data", request.data, "data directory with val.jsonl")->required();
  verb->add_option(
          "--out", request.out,
          "folder for the best model, best.conf and trials.md; run again, it goes on there")
      ->required();
  verb->add_option("--minutes", request.minutes, "what runs then is saved, and no more begun")
      ->check(positive_number())
      ->capture_default_str();
  verb->add_option("--trials", request.trials, "trials at most")
      ->check(whole_number_from(1, 10000))
      ->capture_default_str();
  verb->add_option("--model", request.model, "as train has it")->capture_default_str();
  verb->add_option("--set", arguments->assignments, "key=value that all trials share");
  verb->add_option("--embeddings", request.embeddings, "word vectors, as train has it");
  verb->add_option("--threads", request.threads, "of each trial")
      ->check(whole_number_from(1, 256))
      ->capture_default_str();
  verb->add_option("--seed", request.seed, "decides the trials, and is that of each")
      ->check(whole_number_from(0))
      ->capture_default_str();
  verb->callback([arguments, &exit_code] {
    TuneRequest& tuning = arguments->request;
    require_known_model(tuning.model);
    tuning.settings = settings_of(tuning.model, arguments->assignments);
    tuning.on_message = [](const std::string& message) { print_message(message + "\n"); };
    catch_signals();
    tuning.stop = &stop_token();
    const ExperimentOutcome outcome = run_tuning(tuning);
    if (outcome == ExperimentOutcome::kInterrupted) {
      print_message("stopped; the same command goes on from here\n");
      exit_code = 128 + caught_signal();
      return;
    }
    if (!std::filesystem::exists(tuning.out / "best.conf")) {
      print_message(
          "no trial was done in the time given; the same command goes on from here, or allow more "
          "--minutes\n");
      return;
    }
    if (outcome == ExperimentOutcome::kOutOfTime) {
      print_message("the time is up; the same command goes on from here\n");
    }
    print_result(fmt::format("{}\n{}\n", (tuning.out / "trials.md").string(),
                             (tuning.out / "best.conf").string()));
    flush_results();
  });
}

}  // namespace hmtc
