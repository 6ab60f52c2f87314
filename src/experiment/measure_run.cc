#include "experiment/measure_run.h"

#include <nlohmann/json.hpp>

#include "base/line_reader.h"

namespace hmtc {
namespace {

namespace fs = std::filesystem;

SplitScores scores_of(const Evaluation& evaluation) {
  SplitScores scores;
  for (const NamedReport& named : evaluation.reports) {
    if (named.name == "combined") {
      scores.combined = named.report.areas;
      scores.calibration_error = named.report.calibration.error;
      scores.equal_mass_error = named.report.calibration.equal_mass_error;
      scores.brier = named.report.calibration.brier;
      scores.tuned_micro_f1 = named.report.at_label_thresholds.flat.micro.f1;
      scores.tuned_macro_f1 = named.report.at_label_thresholds.flat.macro.f1;
      scores.violations = static_cast<double>(named.report.violations_left.edges);
      scores.raw_micro = named.report.raw_micro;
      scores.raw_violations = static_cast<double>(named.report.violations.edges);
    }
    if (named.name == "local") scores.local_micro = named.report.areas.micro;
    if (named.name == "global") scores.global_micro = named.report.areas.micro;
  }
  return scores;
}

std::size_t count_parameters(const fs::path& model) {
  const ModelParts parts = load_model(model);
  std::size_t numbers = 0;
  for (const auto& [name, tensor] : parts.tensors.tensors) numbers += tensor.num_elements();
  return numbers;
}

/// A number of a line of metrics.jsonl; what was not finite is null there.
double number_of(const nlohmann::json& line, const char* name) {
  const auto found = line.find(name);
  return found != line.end() && found->is_number() ? found->get<double>() : kUndefined;
}

/// The lines of a run's metrics.jsonl; the linear model has none.
std::vector<nlohmann::json> metrics_of(const fs::path& model) {
  const fs::path file = model / "run" / "metrics.jsonl";
  if (!fs::exists(file)) return {};
  std::vector<nlohmann::json> lines;
  LineReader reader(file.string());
  for (std::string_view line; reader.next(line);) {
    auto json = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (json.is_object()) lines.push_back(std::move(json));
  }
  return lines;
}

ValidationPoint point_of(const nlohmann::json& line) {
  return {number_of(line, "epoch"), number_of(line, "loss"), number_of(line, "validation_auprc")};
}

/// The learning curve of the first network.
void read_metrics(const fs::path& model, RunResult& result) {
  double best = -1;
  for (const nlohmann::json& line : metrics_of(model)) {
    if (number_of(line, "member") > 0) continue;
    const ValidationPoint point = point_of(line);
    result.learning_curve.push_back(point);
    result.documents_per_second = number_of(line, "documents_per_second");
    if (point.score > best) {
      best = point.score;
      result.best_epoch = point.epoch;
    }
  }
}

}  // namespace

RunResult test_result(const Evaluation& test) {
  RunResult result;
  result.test = scores_of(test);
  result.test_documents = test.reports.front().report.num_documents;
  result.precision_recall = curve_samples(test.curve);
  result.reliability = test.reports.front().report.calibration.bins;
  return result;
}

RunResult measure_run(const fs::path& model, const fs::path& data, std::int64_t threads,
                      MeasuredSplits splits) {
  LoadedModel loaded = load_for_prediction(model, static_cast<int>(threads));
  RunResult result;
  if (splits == MeasuredSplits::kValidationAndTest) {
    result = test_result(evaluate(loaded, (data / "test.jsonl").string(), {}));
  }
  const fs::path validation = data / "val.jsonl";
  if (fs::exists(validation)) {
    result.validation = scores_of(evaluate(loaded, validation.string(), {}));
  } else if (!loaded.config.train.refit) {
    result.validation = scores_of(evaluate(loaded, (data / kHeldOutFile).string(), {}));
  }
  result.threads = static_cast<std::size_t>(threads);
  result.parameters = count_parameters(model);
  read_metrics(model, result);
  return result;
}

std::optional<ValidationPoint> last_validation(const fs::path& model) {
  const std::vector<nlohmann::json> lines = metrics_of(model);
  if (lines.empty()) return std::nullopt;
  return point_of(lines.back());
}

}  // namespace hmtc
