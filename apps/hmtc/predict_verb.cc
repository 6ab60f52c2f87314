#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <memory>

#include "checks.h"
#include "output.h"
#include "predict/predict_stream.h"
#include "verbs.h"

namespace hmtc {

void add_predict_verb(CLI::App& program) {
  struct Arguments {
    std::string model;
    std::string input = "-";
    std::string on_error = "stop";
    PredictStreamOptions options;
    bool raw = false;
    int threads = 0;
  };
  CLI::App* verb =
      program.add_subcommand("predict", "Classify documents: JSON lines in, JSON lines out");
  const auto arguments = std::make_shared<Arguments>();
  PredictOptions& labels = arguments->options.labels;
  verb->add_option("model", arguments->model, "model directory")->required();
  verb->add_option("file", arguments->input, "JSON lines with text or tokens; - is standard input");
  verb->add_option("--top", labels.top, "the K best labels")->check(whole_number_from(1));
  verb->add_option("--threshold", labels.threshold, "labels that score at least this")
      ->check(number_from(0, 1));
  verb->add_flag("--all-scores", arguments->options.all_scores, "the score of every label")
      ->excludes("--top", "--threshold");
  verb->add_flag("--plain", arguments->options.plain, "input lines are texts, not JSON");
  verb->add_flag("--raw-scores", arguments->raw, "do not lift parents to their children's scores");
  verb->add_option("--on-error", arguments->on_error, "a bad line: stop, or skip and report it")
      ->check(CLI::IsMember({"stop", "skip"}));
  verb->add_option("--threads", arguments->threads, "0: as many as the machine has")
      ->check(whole_number_from(0, 4096));
  verb->callback([arguments] {
    LoadedModel model = load_for_prediction(arguments->model, arguments->threads);
    arguments->options.labels.coherent = !arguments->raw;
    arguments->options.stop_at_error = arguments->on_error == "stop";
    const auto write = [](std::string_view lines) {
      print_result(lines);
      flush_results();  // whoever waits at the other end of a pipe gets the answer now
    };
    const auto report = [](const std::string& problem) { spdlog::warn("skipped: {}", problem); };
    mention_waiting(arguments->input);
    const PredictSummary summary =
        predict_stream(model, arguments->input, arguments->options, write, report);
    if (summary.bad_lines > 0) {
      spdlog::warn("{} lines skipped, {} predicted", summary.bad_lines, summary.documents);
    }
  });
}

}  // namespace hmtc
