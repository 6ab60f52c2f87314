#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "config/config.h"
#include "hmtc/train.h"
#include "train/checkpoint.h"

namespace hmtc {

struct TrainRequest;
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
  /// Called when a run that was asked to stop has saved its checkpoint: it ends, or finishes with
  /// what is best so far if that is asked for by then; or empty.
  std::function<void()> on_pause;
  TrainNetwork* train_network = nullptr;  ///< none: only the linear model can be trained
};

/// What a run that has learnt for so long is to do: what was asked for from outside, or else what
/// the request's time says.
StopToken::Wish wish_of(const TrainRequest& request, double seconds);

/// Trains the model that config.model.name names and writes it to `out`. An interrupted neural run
/// can go on with `resume` and ends with the same bytes as if it had not been interrupted.
/// Throws kUsage when `out` holds an unfinished run and neither resume nor restart is given, when a
/// resumed run's configuration or data differ, or when the loss is not finite, or for a network
/// when nothing is there that trains it; kInput, kIo, kModel.
TrainResult train(const TrainRequest& request);

}  // namespace hmtc
