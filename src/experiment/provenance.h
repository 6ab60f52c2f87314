#pragma once

#include <string>
#include <vector>

#include "report/run_result.h"

namespace hmtc {

/// How a plan makes a result: all that decides it besides the seed and the bytes of its inputs.
struct Provenance {
  std::string experiment;                 ///< title
  std::string model;                      ///< as --model has it
  std::vector<std::string> settings;      ///< key=value
  std::vector<std::string> all_settings;  ///< the defaults too
  std::string recipe;
  std::string recipe_without_defaults;  ///< as older versions wrote it
};

/// Throws kUsage, and names the first difference, when the result in `file` was made otherwise: it
/// must not stand in the plan's table. What a result does not say is taken for what programs did
/// when they did not say it, where that is known, and for the same where it is not.
void require_same_provenance(const RunResult& result, const Provenance& now,
                             const std::string& file);

}  // namespace hmtc
