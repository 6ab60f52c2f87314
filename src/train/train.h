#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "config/config.h"
#include "hmtc/stop_token.h"

namespace hmtc {

/// Where a run stands, after every step.
struct StepProgress {
  std::int64_t epoch = 0;  ///< the running one, from 0
  std::int64_t epochs = 0;
  std::int64_t batch = 0;  ///< done in this epoch
  std::int64_t batches = 0;
  double loss = 0;  ///< mean since the last validation
  double documents_per_second = 0;
  double seconds_left = 0;  ///< to the last epoch, if no early stop comes
};

/// What a validation found; also a line of run/metrics.jsonl.
struct ValidationReport {
  std::int64_t member = 0;
  std::int64_t step = 0;
  double epoch = 0;  ///< epochs done
  double loss = 0;
  double score = 0;  ///< micro AU(PRC) of the combined, coherent scores
  double best_score = 0;
  bool is_best = false;
  double learning_rate = 0;
  double documents_per_second = 0;
  double seconds_left = 0;
};

/// Hears of a run's progress. All calls come from the thread that called train().
class TrainObserver {
 public:
  virtual ~TrainObserver() = default;
  /// Everything is read; from now on a set `stop` flag is looked at after every step.
  virtual void on_begin() {}
  virtual void on_message(const std::string& /*message*/) {}
  virtual void on_step(const StepProgress& /*progress*/) {}
  virtual void on_validation(const ValidationReport& /*report*/) {}
  /// The run was asked to stop, and its checkpoint is saved. It ends when this returns, or finishes
  /// with what is best so far if that is asked for by then.
  virtual void on_pause() {}
};

struct Checkpoint;
struct TrainRequest;
struct TrainResult;
struct TrainingData;
class RunFolder;

/// What trains networks (src/learn), which this part of the program does without.
using TrainNetwork = TrainResult(const TrainRequest& request, TrainingData data,
                                 const RunFolder& folder, std::optional<Checkpoint> checkpoint);

struct TrainRequest {
  std::filesystem::path data;
  std::filesystem::path out;
  Config config;
  std::string embeddings;             ///< a file of word vectors, or empty
  std::filesystem::path teacher;      ///< a model whose probabilities are learnt too, or empty
  bool resume = false;                ///< go on with an unfinished run in `out`
  bool restart = false;               ///< throw an unfinished run in `out` away
  TrainObserver* observer = nullptr;  ///< none: nobody hears of it
  const StopToken* stop = nullptr;    ///< none: nobody asks the run to end
  /// Learning that has taken so many minutes is finished with what is best so far; 0: never.
  double minutes = 0;
  TrainNetwork* train_network = nullptr;  ///< none: only the linear model can be trained
};

/// What a run that has learnt for so long is to do: what was asked for from outside, or else what
/// the request's time says.
StopToken::Wish wish_of(const TrainRequest& request, double seconds);

enum class TrainOutcome { kFinished, kInterrupted };

struct TrainResult {
  TrainOutcome outcome = TrainOutcome::kFinished;
  double best_score = 0;
};

/// Trains the model that config.model.name names and writes it to `out`. An interrupted neural run
/// can go on with `resume` and ends with the same bytes as if it had not been interrupted.
/// Throws kUsage when `out` holds an unfinished run and neither resume nor restart is given, when a
/// resumed run's configuration or data differ, or when the loss is not finite, or for a network
/// when nothing is there that trains it; kInput, kIo, kModel.
TrainResult train(const TrainRequest& request);

}  // namespace hmtc
