#include "report/report_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

namespace hmtc {
namespace {

constexpr const char* kNothing = "–";

std::string score_text(double score) {
  return std::isnan(score) ? kNothing : fmt::format("{:.4f}", score);
}

std::string spread_text(const Spread& spread) {
  if (std::isnan(spread.deviation)) return score_text(spread.mean);
  return fmt::format("{:.4f} ± {:.4f}", spread.mean, spread.deviation);
}

std::string signed_text(double difference) {
  if (std::isnan(difference)) return kNothing;
  const std::string text = fmt::format("{:+.4f}", difference);
  return text == "-0.0000" ? "+0.0000" : text;
}

std::string probability_text(double p) {
  if (std::isnan(p)) return kNothing;
  return p < 0.0001 ? "< 0.0001" : fmt::format("{:.4f}", p);
}

std::string duration_text(double seconds) {
  if (std::isnan(seconds)) return kNothing;
  if (seconds < 100) return fmt::format("{:.1f} s", seconds);
  if (seconds < 6000) return fmt::format("{:.1f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

std::string whole_text(double value) {
  return std::isnan(value) ? kNothing : fmt::format("{:.0f}", value);
}

std::string count_text(double count) {
  if (std::isnan(count) || count < 10000) return whole_text(count);
  return count < 999500 ? fmt::format("{:.0f} k", count / 1e3)
                        : fmt::format("{:.1f} M", count / 1e6);
}

/// Builds the table column by column.
class ResultsTable {
 public:
  explicit ResultsTable(const ExperimentReport& report) : num_seeds_(report.seeds.size()) {
    for (const ReportRow& row : report.rows) runs_.push_back(runs_of(report, row));
    table_.rows.resize(report.rows.size());
  }

  /// A column of texts, left out where no row has something; `text` takes the row's index and its
  /// runs.
  void texts(const std::string& title,
             const std::function<std::string(std::size_t, const Runs&)>& text) {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < runs_.size(); ++i) cells.push_back(text(i, runs_[i]));
    const auto is_nothing = [](const std::string& cell) { return cell == kNothing; };
    if (std::all_of(cells.begin(), cells.end(), is_nothing)) return;
    table_.columns.push_back(title);
    for (std::size_t i = 0; i < cells.size(); ++i) table_.rows[i].push_back({std::move(cells[i])});
  }

  /// A column of means over the runs.
  void means(const std::string& title, const std::function<double(const RunResult&)>& value,
             std::string (*shown)(double)) {
    texts(title,
          [&](std::size_t, const Runs& runs) { return shown(spread_over(runs, value).mean); });
  }

  /// A column of AU(PRC), in which the best mean is marked where there are several rows to compare:
  /// those with a run for every seed.
  void areas(const std::string& title, const std::function<double(const RunResult&)>& area,
             std::string (*shown)(const Spread&)) {
    std::vector<std::string> compared;  // as shown: digits that nobody sees make no row the best
    texts(title, [&](std::size_t, const Runs& runs) {
      const Spread spread = spread_over(runs, area);
      compared.push_back(runs.size() == num_seeds_ ? score_text(spread.mean) : kNothing);
      return shown(spread);
    });
    std::vector<std::string> defined;
    std::remove_copy(compared.begin(), compared.end(), std::back_inserter(defined), kNothing);
    if (defined.size() < 2) return;
    const std::string best = *std::max_element(defined.begin(), defined.end());
    for (std::size_t i = 0; i < compared.size(); ++i) {
      table_.rows[i].back().is_best = compared[i] == best;
    }
  }

  TextTable take() { return std::move(table_); }

 private:
  std::size_t num_seeds_;
  std::vector<Runs> runs_;  ///< per row
  TextTable table_;
};

std::string mean_text(const Spread& spread) { return score_text(spread.mean); }

std::size_t num_runs(const ExperimentReport& report) {
  std::size_t count = 0;
  for (const ReportRow& row : report.rows) count += runs_of(report, row).size();
  return count;
}

}  // namespace

TextTable results_table(const ExperimentReport& report) {
  const auto test_micro = [](const RunResult& run) { return run.test.combined.micro; };
  ResultsTable table(report);
  table.texts("row", [&](std::size_t i, const Runs&) { return report.rows[i].name; });
  table.texts("seeds", [&](std::size_t, const Runs& runs) {
    return runs.size() == report.seeds.size()
               ? fmt::format("{}", runs.size())
               : fmt::format("{} of {}", runs.size(), report.seeds.size());
  });
  table.areas("test AU(PRC)", test_micro, spread_text);
  table.texts("paper",
              [&](std::size_t i, const Runs&) { return score_text(report.rows[i].paper_value); });
  table.texts("minus paper", [&](std::size_t i, const Runs& runs) {
    return signed_text(spread_over(runs, test_micro).mean - report.rows[i].paper_value);
  });
  table.areas(
      "macro", [](const RunResult& run) { return run.test.combined.macro; }, mean_text);
  table.areas(
      "weighted", [](const RunResult& run) { return run.test.combined.weighted; }, mean_text);
  for (std::size_t level = 0; level < num_levels(report); ++level) {
    table.areas(
        fmt::format("level {}", level + 1),
        [&](const RunResult& run) { return test_area_of_level(run, level); }, mean_text);
  }
  table.areas(
      "validation", [](const RunResult& run) { return run.validation.combined.micro; }, mean_text);
  return table.take();
}

TextTable scores_table(const ExperimentReport& report) {
  ResultsTable table(report);
  table.texts("row", [&](std::size_t i, const Runs&) { return report.rows[i].name; });
  table.areas(
      "local AU(PRC)", [](const RunResult& run) { return run.test.local_micro; }, mean_text);
  table.areas(
      "global AU(PRC)", [](const RunResult& run) { return run.test.global_micro; }, mean_text);
  table.areas(
      "raw AU(PRC)", [](const RunResult& run) { return run.test.raw_micro; }, mean_text);
  table.means(
      "raw violations", [](const RunResult& run) { return run.test.raw_violations; }, whole_text);
  table.means(
      "violations left", [](const RunResult& run) { return run.test.violations; }, whole_text);
  table.areas(
      "tuned macro-F1", [](const RunResult& run) { return run.test.tuned_macro_f1; }, mean_text);
  table.means(
      "ECE", [](const RunResult& run) { return run.test.calibration_error; }, score_text);
  table.means(
      "ECE above 1/15",
      [](const RunResult& run) { return likely_calibration_error(run.reliability); }, score_text);
  return table.take();
}

TextTable costs_table(const ExperimentReport& report) {
  ResultsTable table(report);
  table.texts("row", [&](std::size_t i, const Runs&) { return report.rows[i].name; });
  table.means(
      "training", [](const RunResult& run) { return run.train_seconds; }, duration_text);
  table.means(
      "documents/s", [](const RunResult& run) { return run.documents_per_second; }, whole_text);
  table.means(
      "parameters", [](const RunResult& run) { return static_cast<double>(run.parameters); },
      count_text);
  table.means(
      "peak MB", [](const RunResult& run) { return run.peak_mb; }, whole_text);
  return table.take();
}

TextTable comparison_table(const ExperimentReport& report) {
  TextTable table{{report.reference + " beside", "common seeds", "difference", "95 % interval", "p",
                   report.reference + " is"},
                  {}};
  if (report.seeds.size() < 2) return table;  // nothing is known of other seeds
  for (const auto& [other, result] : compare_with_reference(report)) {
    const std::string interval =
        std::isnan(result.low)
            ? kNothing
            : fmt::format("{} to {}", signed_text(result.low), signed_text(result.high));
    table.rows.push_back({{other},
                          {fmt::format("{}", result.num_pairs)},
                          {signed_text(result.difference)},
                          {interval},
                          {probability_text(result.p)},
                          {verdict(result)}});
  }
  return table;
}

std::string runs_sentence(const ExperimentReport& report) {
  const std::size_t present = num_runs(report);
  const std::size_t planned = report.rows.size() * report.seeds.size();
  return present == planned ? fmt::format("All {} runs are done.", planned)
                            : fmt::format("{} of {} runs are done.", present, planned);
}

std::string comparison_sentence(const ExperimentReport& report) {
  return fmt::format(
      "Micro AU(PRC) on test, {} minus the other row, paired by seed; p is that of the two-sided "
      "paired t-test, without a correction for the number of comparisons. It speaks of other seeds "
      "on the same data, not of other data.",
      report.reference);
}

std::vector<std::string> data_sentences(const ExperimentReport& report) {
  std::vector<std::string> sentences;
  for (const ReportRow& row : report.rows) {
    for (const RunResult* run : runs_of(report, row)) {
      const bool is_known =
          std::find(sentences.begin(), sentences.end(), run->data) != sentences.end();
      if (!run->data.empty() && !is_known) sentences.push_back(run->data);
    }
  }
  return sentences;
}

}  // namespace hmtc
