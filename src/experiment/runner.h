#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "experiment/plan.h"
#include "hmtc/stop_token.h"
#include "report/run_result.h"

namespace hmtc {

struct ExperimentRequest {
  Plan plan;
  std::filesystem::path out;
  std::filesystem::path data;  ///< what {data} stands for
  std::string embeddings;      ///< a file of word vectors, if the plan wants them
  bool keep_models = false;    ///< leave the trained models in `out`
  /// Hears of each trial that is done, one at a time, before its result is written and its model
  /// thrown away, and when those of all earlier calls are written; or empty.
  std::function<void(const RunResult& result, const std::filesystem::path& model)> on_trial;
  std::function<void(const std::string&)> on_message;
  const StopToken* stop = nullptr;  ///< set from outside: save and return
};

enum class ExperimentOutcome { kFinished, kInterrupted, kOutOfTime };

/// Runs what is not done yet of an experiment, each run in a process of its own, several at once,
/// and keeps `out`/table.md and `out`/report.html up to date. A run whose result is there is not
/// repeated, and one that was cut off goes on from its checkpoint. A run that fails is told of at
/// once; all that does not depend on it is run all the same, and the failure thrown at the end (not
/// where trials are all that is wanted and one was done).
/// Throws kUsage when `out` belongs to another experiment or another process writes to it; kInput,
/// kIo; or what a run failed with, with the end of its log.
ExperimentOutcome run_experiment(const ExperimentRequest& request);

}  // namespace hmtc
