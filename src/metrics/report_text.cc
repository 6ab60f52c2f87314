#include "metrics/report_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace hmtc {
namespace {

using Json = nlohmann::ordered_json;

std::string shown(double value) {
  return std::isnan(value) ? std::string("-") : fmt::format("{:.4f}", value);
}
std::string shown(std::size_t count) { return fmt::format("{}", count); }

/// Collects rows of cells, then aligns them: names to the left, numbers to the right.
class Table {
 public:
  explicit Table(const std::vector<NamedReport>& reports) : reports_(reports) {
    std::vector<std::string> names;
    for (const NamedReport& named : reports) names.push_back(named.name);
    rows_.push_back({"", names});
  }

  void section(const std::string& title) { rows_.push_back({title, {}}); }

  /// One row; `value` takes a report and returns a ratio or a count.
  template <typename Value>
  void row(const std::string& name, const Value& value) {
    std::vector<std::string> cells;
    for (const NamedReport& named : reports_) cells.push_back(shown(value(named.report)));
    rows_.push_back({"  " + name, cells});
  }

  std::string text() const {
    std::size_t name_width = 0;
    std::size_t cell_width = 0;
    for (const Row& row : rows_) {
      if (!row.cells.empty()) name_width = std::max(name_width, row.name.size());
      for (const std::string& cell : row.cells) cell_width = std::max(cell_width, cell.size());
    }
    std::string lines;
    for (const Row& row : rows_) {
      if (row.cells.empty()) {
        lines += row.name + "\n";
        continue;
      }
      lines += fmt::format("{:<{}}", row.name, name_width);
      for (const std::string& cell : row.cells) lines += fmt::format("  {:>{}}", cell, cell_width);
      lines += "\n";
    }
    return lines;
  }

 private:
  struct Row {
    std::string name;
    std::vector<std::string> cells;  ///< none: the title of a section
  };

  const std::vector<NamedReport>& reports_;
  std::vector<Row> rows_;
};

void add_areas(Table& table, std::size_t num_levels) {
  using Report = EvaluationReport;
  table.section("AU(PRC)");
  table.row("micro", [](const Report& r) { return r.areas.micro; });
  table.row("macro", [](const Report& r) { return r.areas.macro; });
  table.row("weighted", [](const Report& r) { return r.areas.weighted; });
  table.row("CLUS", [](const Report& r) { return r.areas.clus; });
  for (std::size_t level = 0; level < num_levels; ++level) {
    table.row(fmt::format("level {}", level + 1), [level](const Report& r) {
      return level < r.areas.per_level.size() ? r.areas.per_level[level] : kUndefined;
    });
  }
}

void add_triple(Table& table, const std::string& average, DecisionScores EvaluationReport::*at,
                const auto& triple) {
  table.row(average + " precision",
            [&](const EvaluationReport& r) { return triple(r.*at).precision; });
  table.row(average + " recall", [&](const EvaluationReport& r) { return triple(r.*at).recall; });
  table.row(average + " F1", [&](const EvaluationReport& r) { return triple(r.*at).f1; });
}

void add_decisions(Table& table, DecisionScores EvaluationReport::*at) {
  add_triple(table, "micro", at, [](const DecisionScores& d) { return d.flat.micro; });
  add_triple(table, "macro", at, [](const DecisionScores& d) { return d.flat.macro; });
  add_triple(table, "samples", at, [](const DecisionScores& d) { return d.flat.samples; });
  add_triple(table, "hierarchical", at, [](const DecisionScores& d) { return d.hierarchical; });
}

void add_calibration(Table& table, std::size_t num_levels) {
  using Report = EvaluationReport;
  table.section("Calibration");
  table.row("ECE", [](const Report& r) { return r.calibration.error; });
  for (std::size_t level = 0; level < num_levels; ++level) {
    table.row(fmt::format("ECE, level {}", level + 1), [level](const Report& r) {
      const std::vector<Calibration>& levels = r.calibration_per_level;
      return level < levels.size() ? levels[level].error : kUndefined;
    });
  }
  table.row("ECE, scores above 1/15", [](const Report& r) { return r.calibration.likely_error; });
  table.row("ECE, equal mass", [](const Report& r) { return r.calibration.equal_mass_error; });
  table.row("Brier score", [](const Report& r) { return r.calibration.brier; });
}

Json number(double value) { return std::isnan(value) ? Json() : Json(value); }

Json to_json(const PrecisionRecallF1& scores) {
  return {{"precision", number(scores.precision)},
          {"recall", number(scores.recall)},
          {"f1", number(scores.f1)}};
}

Json to_json(const DecisionScores& scores) {
  return {{"micro", to_json(scores.flat.micro)},
          {"macro", to_json(scores.flat.macro)},
          {"samples", to_json(scores.flat.samples)},
          {"hierarchical", to_json(scores.hierarchical)}};
}

Json to_json(const AreasUnderCurve& areas) {
  Json per_level = Json::array();
  for (const double area : areas.per_level) per_level.push_back(number(area));
  return {{"micro", number(areas.micro)},
          {"macro", number(areas.macro)},
          {"weighted", number(areas.weighted)},
          {"clus", number(areas.clus)},
          {"per_level", per_level}};
}

Json to_json(const HierarchyViolations& violations) {
  return {{"edges", violations.edges},
          {"edge_rate", number(violations.edge_rate)},
          {"documents", violations.documents},
          {"document_rate", number(violations.document_rate)}};
}

Json to_json(const std::vector<ReliabilityBin>& bins) {
  Json list = Json::array();
  for (const ReliabilityBin& bin : bins) {
    list.push_back({{"count", bin.count},
                    {"mean_score", number(bin.mean_score)},
                    {"positive_share", number(bin.positive_share)}});
  }
  return list;
}

Json to_json(const Calibration& calibration) {
  return {{"ece", number(calibration.error)},
          {"ece_of_likely", number(calibration.likely_error)},
          {"ece_equal_mass", number(calibration.equal_mass_error)},
          {"brier", number(calibration.brier)},
          {"bins", to_json(calibration.bins)},
          {"equal_mass_bins", to_json(calibration.equal_mass_bins)}};
}

Json calibration_json(const EvaluationReport& report) {
  Json json = to_json(report.calibration);
  json["per_level"] = Json::array();
  for (const Calibration& level : report.calibration_per_level) {
    json["per_level"].push_back(to_json(level));
  }
  return json;
}

Json to_json(const EvaluationReport& report) {
  Json precision_at = Json::object();
  for (std::size_t i = 0; i < kTopCounts.size(); ++i) {
    precision_at[std::to_string(kTopCounts[i])] = number(report.precision_at[i]);
  }
  return {{"documents", report.num_documents},
          {"labels", report.num_labels},
          {"labels_with_positives", report.num_labels_with_positives},
          {"au_prc", to_json(report.areas)},
          {"raw_micro", number(report.raw_micro)},
          {"global_threshold", report.global_threshold},
          {"at_0.5", to_json(report.at_half)},
          {"at_global_threshold", to_json(report.at_global_threshold)},
          {"at_label_thresholds", to_json(report.at_label_thresholds)},
          {"precision_at", precision_at},
          {"violations", to_json(report.violations)},
          {"calibration", calibration_json(report)}};
}

}  // namespace

std::string report_table(const std::vector<NamedReport>& reports) {
  using Report = EvaluationReport;
  std::size_t num_levels = 0;
  for (const NamedReport& named : reports) {
    num_levels = std::max(num_levels, named.report.areas.per_level.size());
  }
  Table table(reports);
  table.section("Data");
  table.row("documents", [](const Report& r) { return r.num_documents; });
  table.row("labels", [](const Report& r) { return r.num_labels; });
  table.row("labels with positives", [](const Report& r) { return r.num_labels_with_positives; });
  add_areas(table, num_levels);
  table.section("At threshold 0.5");
  add_decisions(table, &Report::at_half);
  table.section("At the tuned threshold");
  table.row("threshold", [](const Report& r) { return static_cast<double>(r.global_threshold); });
  add_decisions(table, &Report::at_global_threshold);
  table.section("At one tuned threshold per label");
  add_decisions(table, &Report::at_label_thresholds);
  table.section("Precision at k");
  for (std::size_t i = 0; i < kTopCounts.size(); ++i) {
    table.row(fmt::format("P@{}", kTopCounts[i]),
              [i](const Report& r) { return r.precision_at[i]; });
  }
  table.section("Before the max constraint");
  table.row("micro AU(PRC)", [](const Report& r) { return r.raw_micro; });
  table.row("violated edges", [](const Report& r) { return r.violations.edges; });
  table.row("share of edges", [](const Report& r) { return r.violations.edge_rate; });
  table.row("documents with one", [](const Report& r) { return r.violations.documents; });
  table.row("share of documents", [](const Report& r) { return r.violations.document_rate; });
  add_calibration(table, num_levels);
  return table.text();
}

nlohmann::ordered_json report_json(const std::vector<NamedReport>& reports) {
  Json json = Json::object();
  for (const NamedReport& named : reports) json[named.name] = to_json(named.report);
  return json;
}

}  // namespace hmtc
