#pragma once

#include <string>

#include "report/report.h"

namespace hmtc {

/// The report as one HTML page that needs no other file: tables, comparisons, plots and commands,
/// light or dark as the reader's system is.
std::string html_report(const ExperimentReport& report);

/// A page like it of models measured on one file: each a row with one result; `table` is text that
/// is shown as it stands, below the plots.
std::string html_evaluation(const ExperimentReport& report, const std::string& table);

}  // namespace hmtc
