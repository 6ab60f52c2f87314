#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "report/run_result.h"
#include "report/statistics.h"

namespace hmtc {

/// A row of the table, as the experiment's file has it.
struct ReportRow {
  std::string name;
  std::string model;
  double paper_value = kUndefined;  ///< micro AU(PRC) that the paper states
  std::string note;                 ///< a sentence below the table; may be empty
};

/// What a report is made from. markdown_report() and html_report() make it; tables and plots below
/// are their parts.
struct ExperimentReport {
  std::string title;
  std::vector<ReportRow> rows;       ///< in the order of the table, names differ
  std::vector<std::int64_t> seeds;   ///< that each row should have
  std::string reference = "LA-HCN";  ///< the row that the others are compared with
  std::string measured_on = "Test split";
  std::vector<RunResult> results;  ///< those present; of other rows or seeds: passed over
};

/// The runs of one row in the order of the report's seeds; of two with the same seed the first.
/// They point into the report.
using Runs = std::vector<const RunResult*>;
Runs runs_of(const ExperimentReport& report, const ReportRow& row);

/// A value over the seeds of a row.
struct Spread {
  double mean = kUndefined;
  double deviation = kUndefined;  ///< undefined for a single value
};

/// The spread of value(run) over the runs where it is defined.
template <typename Value>
Spread spread_over(const Runs& runs, const Value& value) {
  std::vector<double> values;
  for (const RunResult* run : runs) {
    const double one = value(*run);
    if (!std::isnan(one)) values.push_back(one);
  }
  return {mean(values), sample_deviation(values)};
}

/// AU(PRC) of a level, counted from 0; undefined where the run has fewer levels.
double test_area_of_level(const RunResult& run, std::size_t level);

/// The most levels that a run has.
std::size_t num_levels(const ExperimentReport& report);

/// The reference beside another row, by micro AU(PRC) on test over their common seeds.
struct RowComparison {
  std::string other;
  PairedComparison result;
};

/// The reference beside every other row, in the order of the table. None when no row has the
/// reference's name.
std::vector<RowComparison> compare_with_reference(const ExperimentReport& report);

/// "above", "below", or "no difference shown" when p is not below 0.05; "–" without a p.
std::string verdict(const PairedComparison& comparison);

}  // namespace hmtc
