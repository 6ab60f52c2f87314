#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "metrics/evaluation.h"

namespace hmtc {

struct NamedReport {
  std::string name;  ///< of the score set: local, global, combined
  EvaluationReport report;
};

/// A plain-text table, one row per metric and one column per report in the given order. What is
/// undefined is shown as "-".
std::string report_table(const std::vector<NamedReport>& reports);

/// {name: {metric: value}}; what is undefined is null.
nlohmann::ordered_json report_json(const std::vector<NamedReport>& reports);

}  // namespace hmtc
