#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "train/learner.h"
#include "train/run_folder.h"
#include "train/train.h"
#include "train/training_data.h"

namespace hmtc {

/// One training run of a neural model, from the first step (or a checkpoint) to the written model.
/// A model of several members (train.members) is trained one member after the other, each of them
/// twice where there is a refit (train.refit): validation says how long, then all documents teach.
class NeuralRun {
 public:
  NeuralRun(const TrainRequest& request, TrainingData data, const RunFolder& folder);

  TrainResult run();

 private:
  using Clock = std::chrono::steady_clock;

  void begin_learning();
  void begin_refit();
  void read_all();
  void start_from(const Checkpoint& checkpoint);
  /// Trains the rest of the running member; false when stopped from outside.
  bool run_member();
  /// Until validation finds nothing better, or for the steps of the refit.
  bool learn();
  bool learning_is_over() const;
  /// Trains the rest of the running epoch; false when stopped from outside.
  bool run_epoch();
  void train_batch(const std::vector<std::size_t>& documents);
  bool validation_is_due(bool at_end_of_epoch) const;
  void validate();
  /// The mean loss that is shown begins anew.
  void forget_loss();
  void save_checkpoint() const;
  /// Returns the score of the whole model on validation.
  double write_model();
  std::uint64_t member_seed() const;
  /// Of an epoch.
  std::int64_t num_batches() const;
  std::int64_t num_epochs() const;
  double learning_rate() const;
  double seconds_left() const;
  double documents_per_second() const;
  bool is_refit() const { return state_.refit_steps > 0; }
  /// What the running network learns from.
  const TrainingData& data() const { return is_refit() ? *all_documents_ : data_; }

  const TrainRequest& request_;
  const TrainingData data_;
  std::unique_ptr<const TrainingData> all_documents_;  // from the first refit on
  std::string all_fingerprint_;
  std::string fingerprint_;
  const RunFolder& folder_;
  std::unique_ptr<Learner> learner_;
  RunState state_;
  TensorFile best_;      // the running member's parameters with the best validation score
  TensorFile finished_;  // the members that are done, as the model has them without a refit
  TensorFile refitted_;  // the members that have learnt from all documents
  Clock::time_point start_time_ = Clock::now();
  mutable Clock::time_point last_checkpoint_ = start_time_;
  std::int64_t steps_here_ = 0;      // since this process started
  std::int64_t documents_here_ = 0;  // the same
  double training_seconds_ = 0;      // the same, without validation and checkpoints
};

}  // namespace hmtc
