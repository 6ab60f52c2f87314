#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace hmtc {

/// A plot with what stands above it, both in plain text but for the SVG.
struct ReportPlot {
  std::string title;
  std::string explanation;
  std::string svg;
};

/// The plots for which there are results: AU(PRC) of each row, per level, learning curves,
/// precision-recall curves, reliability. A row has the same colour and mark in all of them.
std::vector<ReportPlot> report_plots(const ExperimentReport& report);

/// The mean of the validation score over the runs, one point per validation, up to the last that
/// at least half of the runs have reached. Validations are paired by their number.
std::vector<ValidationPoint> mean_learning_curve(const Runs& runs);

/// The bins of all runs, each with the pairs of all of them. Runs without bins have no part.
std::vector<ReliabilityBin> pooled_reliability(const Runs& runs);

}  // namespace hmtc
