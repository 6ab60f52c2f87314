#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "metrics/calibration.h"
#include "metrics/precision_recall.h"

namespace hmtc {

/// AU(PRC), decisions and calibration of one split.
struct SplitScores {
  AreasUnderCurve combined;
  double local_micro = kUndefined;   ///< undefined for models without local scores
  double global_micro = kUndefined;  ///< the same for global ones
  // Of the combined scores; undefined in results of versions that did not measure it.
  double calibration_error = kUndefined;  ///< ECE
  double equal_mass_error = kUndefined;   ///< ECE over bins of equal mass
  double brier = kUndefined;
  double tuned_micro_f1 = kUndefined;  ///< at the threshold of each label, tuned on validation
  double tuned_macro_f1 = kUndefined;
  double violations = kUndefined;  ///< edges of the hierarchy that predictions violate
  double raw_micro = kUndefined;   ///< before the max constraint
  double raw_violations = kUndefined;
};

/// A point of a precision-recall curve.
struct RecallPrecision {
  double recall = 0;
  double precision = 0;
};

/// What one validation during training gave.
struct ValidationPoint {
  double epoch = 0;  ///< epochs done, with the fraction
  double loss = kUndefined;
  double score = kUndefined;  ///< micro AU(PRC) on the validation split
};

/// What one run of an experiment gave: one model, one seed. Stored as a JSON file per run, so that
/// an experiment that was stopped goes on where it was.
struct RunResult {
  std::string experiment;  ///< title
  std::string row;         ///< name in the table
  std::string model;       ///< as --model has it
  std::int64_t seed = 0;
  std::vector<std::string> settings;      ///< key=value
  std::vector<std::string> all_settings;  ///< the defaults too; empty: an older version's
  std::string command;                    ///< repeats the run
  std::string data;                       ///< a sentence on data and split
  std::string recipe;                     ///< how data and run were made; empty: an older version's
  std::string data_digest;                ///< of what the run has read; empty: an older version's
  std::string vectors_digest;             ///< the same; empty without word vectors
  SplitScores validation;
  SplitScores test;
  std::size_t test_documents = 0;
  std::vector<RecallPrecision> precision_recall;  ///< samples of the pooled curve on test
  std::vector<ReliabilityBin> reliability;        ///< Calibration::bins on test; may be empty
  std::vector<ValidationPoint> learning_curve;    ///< empty for models without epochs
  double best_epoch = kUndefined;
  double train_seconds = kUndefined;
  double documents_per_second = kUndefined;
  std::size_t parameters = 0;
  double peak_mb = kUndefined;
  std::size_t threads = 0;
};

/// A JSON text with one member of the object on each line; what is not finite is null.
std::string to_json(const RunResult& result);

/// Reads what to_json() wrote; `file` is named in errors. Members that it does not know are passed
/// over, calibration may be missing. Throws kInput for a text that is damaged, of another version,
/// or something else.
RunResult parse_run_result(const std::string& text, const std::string& file);

/// At most `most` (2 or more) points of the curve: its two ends, and between them points at
/// distances of recall as even as the curve has them. None when the curve has no point.
std::vector<RecallPrecision> curve_samples(const PrecisionRecallCurve& curve,
                                           std::size_t most = 200);

}  // namespace hmtc
