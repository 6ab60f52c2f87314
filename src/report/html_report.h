#pragma once

#include <string>

#include "report/report.h"

namespace hmtc {

/// The report as one HTML page that needs no other file: tables, comparisons, plots and commands,
/// light or dark as the reader's system is.
std::string html_report(const ExperimentReport& report);

}  // namespace hmtc
