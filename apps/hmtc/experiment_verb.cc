#include <fmt/format.h>

#include <memory>

#include "experiment/runner.h"
#include "output.h"
#include "signals.h"
#include "verbs.h"

namespace hmtc {

void add_experiment_verb(CLI::App& program, int& exit_code) {
  struct Arguments {
    std::string file;
    ExperimentRequest request;
  };
  CLI::App* verb = program.add_subcommand(
      "experiment", "Run several models over several seeds to a table, as a file says");
  const auto arguments = std::make_shared<Arguments>();
  verb->add_option("file", arguments->file, "what to run (docs/formats.md; experiments/*.json)")
      ->required();
  verb->add_option("--out", arguments->request.out,
                   "folder for results, table.md and report.html; run again, it goes on there")
      ->required();
  verb->add_option("--data", arguments->request.data, "what {data} in the file stands for");
  verb->add_option("--embeddings", arguments->request.embeddings,
                   "word vectors, where the file wants them");
  verb->add_flag("--keep-models", arguments->request.keep_models,
                 "leave the trained models in --out");
  verb->callback([arguments, &exit_code] {
    ExperimentRequest& request = arguments->request;
    request.plan = read_plan(arguments->file);
    request.on_message = [](const std::string& message) { print_message(message + "\n"); };
    catch_signals();
    request.stop = &stop_token();
    const ExperimentOutcome outcome = run_experiment(request);
    const std::string table = (request.out / "table.md").string();
    if (outcome == ExperimentOutcome::kInterrupted) {
      print_message("stopped; the same command goes on from here\n");
      exit_code = 128 + caught_signal();
    } else if (outcome == ExperimentOutcome::kOutOfTime) {
      print_message("the time is up; the same command goes on from here\n");
    }
    print_result(fmt::format("{}\n{}\n", table, (request.out / "report.html").string()));
    flush_results();
  });
}

}  // namespace hmtc
