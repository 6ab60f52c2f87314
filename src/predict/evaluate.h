#pragma once

#include <string>
#include <vector>

#include "metrics/report_text.h"
#include "predict/loaded_model.h"

namespace hmtc {

struct EvaluateOptions {
  bool coherent = true;  ///< apply the max constraint before measuring, as predict does
  bool strict = true;    ///< a label that the model does not know is an error
};

struct Evaluation {
  std::vector<NamedReport> reports;  ///< combined, and local and global where the model has them
  PrecisionRecallCurve curve;        ///< of the combined scores, all pairs pooled
  std::vector<std::string> warnings;
};

/// Scores a file of labelled documents and measures the result. Violations of the hierarchy and the
/// raw micro area are those before the max constraint is applied. Throws kInput, kIo.
Evaluation evaluate(const LoadedModel& model, const std::string& file, const EvaluateOptions& options);

}  // namespace hmtc
