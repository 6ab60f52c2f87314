#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "learn/learner.h"
#include "train/run_clock.h"
#include "train/run_folder.h"
#include "train/train.h"
#include "train/training_data.h"

namespace hmtc {

/// One training run of a neural model, from the first step (or a checkpoint) to the written model.
/// A model of several members (train.members) is trained one member after the other, each of them
/// twice where there is a refit (train.refit): validation says how long, then all documents teach.
class NeuralRun {
 public:
  NeuralRun(const TrainRequest& request, TrainingData data, const RunFolder& folder,
            std::optional<Checkpoint> checkpoint);

  TrainResult run();

 private:
  StopToken::Wish wish() const { return wish_of(request_, clock_.seconds()); }
  /// Ends the run with what is best so far.
  TrainResult finish_early();

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
  bool is_refit() const { return state_.refit_steps > 0; }
  /// What the running network learns from.
  const TrainingData& data() const { return is_refit() ? *all_documents_ : data_; }

  const TrainRequest& request_;
  TrainingData data_;
  std::unique_ptr<const TrainingData> all_documents_;  // from the first refit on
  std::string all_fingerprint_;
  std::string fingerprint_;
  const RunFolder& folder_;
  std::unique_ptr<Learner> learner_;
  RunState state_;
  TensorFile best_;      // the running member's parameters with the best validation score
  TensorFile finished_;  // the members that are done, as the model has them without a refit
  TensorFile refitted_;  // the members that have learnt from all documents
  RunClock clock_;
  mutable double last_checkpoint_ = 0;  // in seconds of the clock
};

}  // namespace hmtc
