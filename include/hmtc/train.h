#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "hmtc/document.h"
#include "hmtc/error.h"
#include "hmtc/export.h"
#include "hmtc/stop_token.h"

// Training, as `hmtc train` does it. The linear model learns in this process; networks learn in a
// process of their own, hmtc-trainer, which is looked for beside this library and in libexec/hmtc
// of its prefix. It does not outlive the thread that called train().
//
// A network's run that was paused, or whose process died, goes on with `resume` and ends with the
// same bytes. The linear model, which learns in seconds to minutes, keeps nothing of a run that was
// paused.

namespace hmtc {

/// Where a run stands.
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
  /// Everything is read; from now on a stop token that is set is looked at after every step.
  virtual void on_begin() {}
  virtual void on_message(const std::string& /*message*/) {}
  virtual void on_step(const StepProgress& /*progress*/) {}
  virtual void on_validation(const ValidationReport& /*report*/) {}
};

enum class TrainOutcome {
  kFinished,     ///< the model is written
  kInterrupted,  ///< no model; of a network that had begun to learn a checkpoint is kept
};

struct TrainResult {
  TrainOutcome outcome = TrainOutcome::kFinished;
  double best_score = 0;  ///< micro AU(PRC) on validation; NaN where nothing was validated
};

/// What to train, and how.
struct TrainJob {
  std::filesystem::path out = {};          ///< the model directory to be written
  std::string model = {};                  ///< empty: what the file of settings says, or "la-hcn"
  std::filesystem::path config = {};       ///< a file of settings, or none
  std::vector<std::string> settings = {};  ///< "key=value"; `hmtc config` lists the keys
  std::filesystem::path embeddings = {};   ///< a file of word vectors, or none
  std::filesystem::path teacher = {};      ///< a model whose probabilities are learnt too, or none
  double minutes = 0;                      ///< then finish with what is best so far; 0: no limit
  bool resume = false;                     ///< go on with an unfinished run in `out`
  bool restart = false;                    ///< throw an unfinished run in `out` away
  TrainObserver* observer = nullptr;       ///< outlives the call; none: nobody hears of it
  const StopToken* stop = nullptr;         ///< outlives the call; none: nobody asks the run to end
};

/// A label under one of its parents.
struct LabelEdge {
  std::string label;
  std::string parent;       ///< empty: a top label
  std::string description;  ///< readable; may be empty
};

/// What a data directory has, in memory.
struct TrainingDocuments {
  std::vector<Document> train;
  std::vector<Document> validation;  ///< none: 15 % of `train` are held out
  std::vector<LabelEdge> hierarchy;  ///< none: labels are paths joined by '/'
};

/// Trains on a data directory (docs/formats.md) and writes the model directory; a reader of it sees
/// the old model or the new one.
/// Throws kUsage for settings that are not valid, for an unfinished run in `out` without resume or
/// restart, for a resumed run whose settings or data differ, for a loss that is not finite, and for
/// a network without hmtc-trainer; kInput, kIo, kModel.
HMTC_API TrainResult train(const std::filesystem::path& data, const TrainJob& job);

/// The same with documents in memory, by way of a data directory in the folder for temporary files.
/// Errors name documents as lines of its files: "train.jsonl:13" is train[12].
HMTC_API TrainResult train(const TrainingDocuments& documents, const TrainJob& job);

}  // namespace hmtc
