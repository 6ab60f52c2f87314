#pragma once

#include <string>

#include "report/report.h"

namespace hmtc {

/// The report as Markdown: the table, notes, comparisons with the reference, and for each row the
/// command of its first run.
std::string markdown_report(const ExperimentReport& report);

}  // namespace hmtc
