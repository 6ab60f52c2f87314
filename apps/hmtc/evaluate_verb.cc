#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "checks.h"
#include "experiment/measure_run.h"
#include "output.h"
#include "report/html_report.h"
#include "text/unicode.h"
#include "verbs.h"

namespace hmtc {
namespace {

/// What each model gives on the file.
std::vector<Evaluation> evaluate_all(const std::vector<std::string>& models,
                                     const std::string& data, const EvaluateOptions& options,
                                     int threads) {
  if (models.size() > 1 && data == "-") {
    throw Error(ErrorKind::kUsage,
                "evaluate: expected a file for several models, found standard input, which can be "
                "read only once; save it to a file first");
  }
  std::vector<Evaluation> evaluations;
  for (const std::string& path : models) {
    LoadedModel model = load_for_prediction(path, threads);
    evaluations.push_back(evaluate(model, data, options));
    for (const std::string& warning : evaluations.back().warnings) spdlog::warn(warning);
  }
  return evaluations;
}

/// All reports of one model; of several beside each other their combined scores, named by the path.
std::vector<NamedReport> reports_of(const std::vector<Evaluation>& evaluations,
                                    const std::vector<std::string>& models) {
  if (models.size() == 1) return evaluations.front().reports;
  std::vector<NamedReport> reports;
  for (std::size_t i = 0; i < models.size(); ++i) {
    reports.push_back(evaluations[i].reports.front());
    reports.back().name = printable(models[i]);
  }
  return reports;
}

std::string page_of(const std::vector<Evaluation>& evaluations,
                    const std::vector<std::string>& models, const std::string& data) {
  ExperimentReport report;
  report.title = fmt::format("{} on {}", fmt::join(models, ", "), data);
  report.measured_on = data == "-" ? "Standard input" : data;
  report.seeds = {0};
  for (std::size_t i = 0; i < models.size(); ++i) {
    report.rows.push_back({models[i], "", kUndefined, ""});
    report.results.push_back(test_result(evaluations[i]));
    report.results.back().row = models[i];
  }
  return html_evaluation(report, report_table(reports_of(evaluations, models)));
}

}  // namespace

void add_evaluate_verb(CLI::App& program) {
  struct Arguments {
    std::vector<std::string> models;
    std::string data;
    std::string html;
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
  verb->add_option(
      "--html", arguments->html,
      "also write a page with plots (precision and recall, reliability); -: instead of the table");
  verb->add_flag("--raw-scores", arguments->raw, "measure the scores before the max constraint");
  verb->add_flag("--lenient", arguments->lenient, "leave labels out that the model does not know");
  verb->add_option("--threads", arguments->threads, "0: as many as the machine has")
      ->check(whole_number_from(0, 4096));
  verb->callback([arguments] {
    if (arguments->json && arguments->html == "-") {
      throw Error(ErrorKind::kUsage,
                  "--html -: expected a file beside --json, which goes to standard output");
    }
    const std::vector<Evaluation> evaluations = evaluate_all(
        arguments->models, arguments->data,
        {.coherent = !arguments->raw, .strict = !arguments->lenient}, arguments->threads);
    const std::vector<NamedReport> reports = reports_of(evaluations, arguments->models);
    if (arguments->html != "-") {
      print_result(arguments->json ? report_json(reports).dump(2) + "\n" : report_table(reports));
      flush_results();
    }
    if (!arguments->html.empty()) {
      write_page(arguments->html, page_of(evaluations, arguments->models, arguments->data));
    }
  });
}

}  // namespace hmtc
