#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "output.h"
#include "predict/evaluate.h"
#include "verbs.h"

namespace hmtc {

void add_evaluate_verb(CLI::App& program) {
  struct Arguments {
    std::string model;
    std::string data;
    bool json = false;
    bool raw = false;
    bool lenient = false;
    int threads = 0;
  };
  CLI::App* verb = program.add_subcommand("evaluate", "Measure a model on labelled documents");
  const auto arguments = std::make_shared<Arguments>();
  verb->add_option("model", arguments->model, "model directory")->required();
  verb->add_option("--data", arguments->data, "JSON lines with labels, or -")->required();
  verb->add_flag("--json", arguments->json, "JSON instead of a table");
  verb->add_flag("--raw-scores", arguments->raw, "measure the scores before the max constraint");
  verb->add_flag("--lenient", arguments->lenient, "leave labels out that the model does not know");
  verb->add_option("--threads", arguments->threads, "0: as many as the machine has")
      ->check(CLI::Range(0, 4096));
  verb->callback([arguments] {
    LoadedModel model = load_for_prediction(arguments->model, arguments->threads);
    const Evaluation evaluation = evaluate(
        model, arguments->data, {.coherent = !arguments->raw, .strict = !arguments->lenient});
    for (const std::string& warning : evaluation.warnings) spdlog::warn(warning);
    print_result(arguments->json ? report_json(evaluation.reports).dump(2) + "\n"
                                 : report_table(evaluation.reports));
    flush_results();
  });
}

}  // namespace hmtc
