#include "report/report.h"

#include <algorithm>

namespace hmtc {
namespace {

ValuesBySeed test_scores(const Runs& runs) {
  ValuesBySeed scores;
  for (const RunResult* run : runs) scores[run->seed] = run->test.combined.micro;
  return scores;
}

}  // namespace

Runs runs_of(const ExperimentReport& report, const ReportRow& row) {
  Runs runs;
  for (const std::int64_t seed : report.seeds) {
    const auto run = std::find_if(
        report.results.begin(), report.results.end(),
        [&](const RunResult& result) { return result.row == row.name && result.seed == seed; });
    if (run != report.results.end()) runs.push_back(&*run);
  }
  return runs;
}

double test_area_of_level(const RunResult& run, std::size_t level) {
  const std::vector<double>& areas = run.test.combined.per_level;
  return level < areas.size() ? areas[level] : kUndefined;
}

std::size_t num_levels(const ExperimentReport& report) {
  std::size_t most = 0;
  for (const ReportRow& row : report.rows) {
    for (const RunResult* run : runs_of(report, row)) {
      most = std::max(most, run->test.combined.per_level.size());
    }
  }
  return most;
}

std::vector<RowComparison> compare_with_reference(const ExperimentReport& report) {
  const auto reference =
      std::find_if(report.rows.begin(), report.rows.end(),
                   [&](const ReportRow& row) { return row.name == report.reference; });
  if (reference == report.rows.end()) return {};
  const ValuesBySeed scores = test_scores(runs_of(report, *reference));
  std::vector<RowComparison> comparisons;
  for (const ReportRow& row : report.rows) {
    if (row.name == report.reference) continue;
    comparisons.push_back(
        {row.name, compare_over_seeds(scores, test_scores(runs_of(report, row)))});
  }
  return comparisons;
}

std::string verdict(const PairedComparison& comparison) {
  if (std::isnan(comparison.p)) return "–";
  if (comparison.p >= 0.05) return "no difference shown";
  return comparison.difference > 0 ? "above" : "below";
}

}  // namespace hmtc
