#pragma once

#include <string>

#include "report/report.h"

namespace hmtc {

/// A run of which only the headline is defined.
inline RunResult run_of(const std::string& row, std::int64_t seed, double test_micro) {
  RunResult run;
  run.row = row;
  run.seed = seed;
  run.test.combined.micro = test_micro;
  run.command = "hmtc train --seed " + std::to_string(seed);
  return run;
}

/// Two rows over seeds 1 and 2. LA-HCN: 0.75 and 0.85, mean 0.8, deviation sqrt(0.005) = 0.0707.
/// Flat: 0.5, and seed 2 is missing.
inline ExperimentReport small_report() {
  ExperimentReport report;
  report.title = "Enron";
  report.rows = {{"LA-HCN", "la-hcn", 0.8015, "as published"}, {"Flat", "flat", kUndefined, ""}};
  report.seeds = {1, 2};
  report.results = {run_of("LA-HCN", 2, 0.85), run_of("LA-HCN", 1, 0.75), run_of("Flat", 1, 0.5)};
  return report;
}

/// The same with Flat's second seed, 0.6.
inline ExperimentReport complete_report() {
  ExperimentReport report = small_report();
  report.results.push_back(run_of("Flat", 2, 0.6));
  return report;
}

}  // namespace hmtc
