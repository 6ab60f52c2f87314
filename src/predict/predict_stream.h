#pragma once

#include <functional>
#include <string>

#include "hmtc/label.h"
#include "hmtc/predict_options.h"
#include "predict/loaded_model.h"

namespace hmtc {

struct PredictStreamOptions {
  PredictOptions labels;
  bool all_scores = false;    ///< every label's score instead of the predicted labels
  bool plain = false;         ///< input lines are texts, not JSON
  bool stop_at_error = true;  ///< a bad line ends the run, or is reported and passed over
};

struct PredictSummary {
  std::size_t documents = 0;
  std::size_t bad_lines = 0;
};

/// Reads documents line by line (a file, or "-"), gives the results as JSON lines to `write`, in
/// order and as many as there are to be had without waiting for further input, and what is wrong
/// with a line to `report`. Memory does not grow with the input.
/// Throws kInput at the first bad line unless told otherwise; the lines before it are written.
PredictSummary predict_stream(const LoadedModel& model, const std::string& input,
                              const PredictStreamOptions& options,
                              const std::function<void(std::string_view lines)>& write,
                              const std::function<void(const std::string&)>& report);

/// The labels that a row of scores predicts, best first; of equal scores the upper label first.
std::vector<LabelScore> chosen_labels(const LoadedModel& model, std::span<const float> scores,
                                      const PredictOptions& options);

/// Appends what is said about a document as one JSON object, in one line and without its end.
void append_prediction(const LoadedModel& model, const std::string& id,
                       std::span<const float> scores, const PredictStreamOptions& options,
                       std::string& out);

}  // namespace hmtc
