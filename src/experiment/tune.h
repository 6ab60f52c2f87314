#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "experiment/runner.h"
#include "hmtc/stop_token.h"

namespace hmtc {

struct TuneRequest {
  std::filesystem::path data;
  std::filesystem::path out;
  std::string model;
  Settings settings;       ///< of all trials
  std::string embeddings;  ///< a file of word vectors, or empty
  std::int64_t seed = 0;
  std::int64_t threads = 1;  ///< of each trial; as many at once as the machine has threads for
  std::int64_t trials = 100;
  double minutes = 60;  ///< what runs then is saved, and no more begun
  std::function<void(const std::string&)> on_message;
  const StopToken* stop = nullptr;
};

/// Tries settings for a model until the time is up, each in a process of its own; validation
/// decides. Keeps `out`/model (the best so far), `out`/best.conf (its settings, for --config) and
/// `out`/trials.md (all of them) up to date. Called again it goes on, with the same trials.
/// Test is not read. Throws what run_experiment() throws.
ExperimentOutcome run_tuning(const TuneRequest& request);

}  // namespace hmtc
