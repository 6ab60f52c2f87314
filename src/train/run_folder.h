#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/file_lock.h"
#include "train/checkpoint.h"
#include "train/train.h"

namespace hmtc {

/// What made a model, and how well it does.
struct FinishedRun {
  Config config;
  std::string fingerprint;  ///< of the data, and of what a refit learnt from
  double score = 0;         ///< micro AU(PRC) on validation
};

/// The folder `run` inside a model directory: the checkpoint and metrics.jsonl of the run that
/// makes the model, and finished.json of the one that made it.
class RunFolder {
 public:
  /// Throws kUsage when it holds an unfinished run and the request says neither resume nor restart.
  explicit RunFolder(const TrainRequest& request);

  /// Makes the folder, and forgets an unfinished run when the request says restart. Throws kIo.
  /// Throws kUsage when another process writes to it.
  void open();

  /// The checkpoint to go on from, if the request says resume and there is one.
  std::optional<Checkpoint> checkpoint() const;
  void save(Checkpoint checkpoint) const {
    save_checkpoint(checkpoint_path_, std::move(checkpoint));
  }

  std::string checkpoint_file() const { return checkpoint_path_.string(); }

  /// Forgets the lines of metrics.jsonl that lie beyond a member's step, or are not ours.
  void cut_metrics(std::int64_t member, std::int64_t last_step) const;
  void forget_metrics() const { cut_metrics(0, -1); }
  void append_metrics(const ValidationReport& report, double seconds) const;

  /// The run is over and the model written: the checkpoint is not needed any more.
  void finish(const FinishedRun& run) const;

  /// The run was ended early and the model written.
  void discard_checkpoint() const;

  /// The run that made the model which is here, if that is known and the model whole.
  std::optional<FinishedRun> finished() const;

 private:
  void lock();
  std::string model_digest() const;

  bool resume_;
  bool restart_;
  std::unique_ptr<FileLock> lock_;
  std::filesystem::path folder_;
  std::filesystem::path checkpoint_path_;
  std::filesystem::path metrics_path_;
  std::filesystem::path finished_path_;
};

}  // namespace hmtc
