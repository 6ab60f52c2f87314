#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "checks.h"
#include "output.h"
#include "predict/evaluate.h"
#include "text/unicode.h"
#include "verbs.h"

namespace hmtc {
namespace {

/// The reports of several models beside each other: of each its combined scores, named by its
/// path.
std::vector<NamedReport> evaluate_all(const std::vector<std::string>& models,
                                      const std::string& data, const EvaluateOptions& options,
                                      int threads) {
  if (models.size() > 1 && data == "-") {
    throw Error(ErrorKind::kUsage,
                "evaluate: expected a file for several models, found standard input, which can be "
                "read only once; save it to a file first");
  }
  std::vector<NamedReport> reports;
  for (const std::string& path : models) {
    LoadedModel model = load_for_prediction(path, threads);
    Evaluation evaluation = evaluate(model, data, options);
    for (const std::string& warning : evaluation.warnings) spdlog::warn(warning);
    if (models.size() == 1) return evaluation.reports;
    evaluation.reports.front().name = printable(path);
    reports.push_back(std::move(evaluation.reports.front()));
  }
  return reports;
}

}  // namespace

void add_evaluate_verb(CLI::App& program) {
  struct Arguments {
    std::vector<std::string> models;
    std::string data;
    bool json = false;
    bool raw = false;
    bool lenient = false;
    int threads = 0;
  };
  CLI::App* verb = program.add_subcommand("evaluate", "Measure a model on labelled documents");
  const auto arguments = std::make_shared<Arguments>();
  verb->add_option("models", arguments->models, "model directory; several are shown side by side")
      ->required();
  verb->add_option("--data", arguments->data, "JSON lines with labels, or -")->required();
  verb->add_flag("--json", arguments->json, "JSON instead of a table");
  verb->add_flag("--raw-scores", arguments->raw, "measure the scores before the max constraint");
  verb->add_flag("--lenient", arguments->lenient, "leave labels out that the model does not know");
  verb->add_option("--threads", arguments->threads, "0: as many as the machine has")
      ->check(whole_number_from(0, 4096));
  verb->callback([arguments] {
    const std::vector<NamedReport> reports = evaluate_all(
        arguments->models, arguments->data,
        {.coherent = !arguments->raw, .strict = !arguments->lenient}, arguments->threads);
    print_result(arguments->json ? report_json(reports).dump(2) + "\n" : report_table(reports));
    flush_results();
  });
}

}  // namespace hmtc
