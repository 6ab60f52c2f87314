#pragma once

#include <string>
#include <vector>

#include "hmtc/classifier.h"
#include "metrics/report_text.h"
#include "predict/loaded_model.h"

namespace hmtc {

struct Evaluation {
  std::vector<NamedReport> reports;  ///< combined, and local and global where the model has them
  PrecisionRecallCurve curve;        ///< of the combined scores, all pairs pooled
  std::vector<std::string> warnings;
};

/// Scores labelled documents and measures the result. Violations of the hierarchy and the raw micro
/// area are those before the max constraint, which `coherent` applies.
Evaluation evaluate(const LoadedModel& model, const Corpus& corpus, bool coherent);

/// The same of a file. Throws kInput, kIo.
Evaluation evaluate(const LoadedModel& model, const std::string& file,
                    const EvaluateOptions& options);

/// A warning for each label that was left out.
std::vector<std::string> warnings_of(const LabelResolver& labels);

}  // namespace hmtc
