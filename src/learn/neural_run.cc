#include "learn/neural_run.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"
#include "base/random.h"
#include "data/truth.h"
#include "learn/batches.h"
#include "learn/engine.h"
#include "learn/learning_rate.h"
#include "metrics/precision_recall.h"
#include "network/ensemble.h"
#include "train/finished_model.h"

namespace hmtc {
namespace {

constexpr const char* kBest = "best/";
constexpr const char* kFinished = "finished/";
constexpr const char* kRefitted = "refitted/";

/// Of an epoch.
std::int64_t batches_of(const TrainingData& data) {
  const std::int64_t batch_size = data.config.train.batch_size;
  return (static_cast<std::int64_t>(data.network_documents().size()) + batch_size - 1) / batch_size;
}

Error documents_changed() {
  return Error(ErrorKind::kUsage,
               "train.jsonl, --embeddings or --teacher changed while the run went on, which now "
               "learns from all documents; put them back, or begin anew with --restart");
}

}  // namespace

NeuralRun::NeuralRun(const TrainRequest& request, TrainingData data, const RunFolder& folder,
                     std::optional<Checkpoint> checkpoint)
    : request_(request),
      data_(std::move(data)),
      fingerprint_(data_.fingerprint()),
      folder_(folder) {
  if (checkpoint) {
    start_from(*checkpoint);
    checkpoint.reset();  // a parameter may live as long as the statement that makes the run
  } else {
    begin_learning();
    folder_.forget_metrics();
  }
}

void NeuralRun::begin_learning() {
  learner_.reset();  // not beside the new one
  learner_ = std::make_unique<Learner>(data(), member_seed());
  learner_->start_from_training_data(*request_.observer);
}

/// As many passes over all documents as were best over those of training.
void NeuralRun::begin_refit() {
  if (!all_documents_) read_all();
  const double epochs =
      static_cast<double>(state_.best_step) / static_cast<double>(batches_of(data_));
  const auto steps = std::llround(epochs * static_cast<double>(batches_of(*all_documents_)));
  state_ = RunState{.member = state_.member,
                    .refit_steps = std::max<std::int64_t>(steps, 1),
                    .best_score = state_.best_score};
  best_.tensors.clear();
  request_.observer->on_message(fmt::format(
      "refit: {:.4g} epochs over all {} documents of train.jsonl", epochs, data().train.size()));
  begin_learning();
}

void NeuralRun::read_all() {
  all_documents_ = std::make_unique<TrainingData>(read_all_documents(request_, data_.config));
  if (all_documents_->train.size() != data_.train.size() + data_.validation.size())
    throw documents_changed();
  all_fingerprint_ = all_documents_->fingerprint();
}

void NeuralRun::start_from(const Checkpoint& checkpoint) {
  warn_of_another_engine(checkpoint.engine, *request_.observer);
  state_ = checkpoint.state;
  if (!checkpoint.all_documents.empty()) {
    read_all();
    if (checkpoint.all_documents != all_fingerprint_) throw documents_changed();
  }
  learner_ = std::make_unique<Learner>(data(), member_seed());
  learner_->load(checkpoint.tensors, folder_.checkpoint_file(), state_.step);
  best_ = copy_without_prefix(checkpoint.tensors, kBest);
  finished_ = copy_without_prefix(checkpoint.tensors, kFinished);
  refitted_ = copy_without_prefix(checkpoint.tensors, kRefitted);
  if (!is_refit()) folder_.cut_metrics(state_.member, state_.step);
  request_.observer->on_message(fmt::format(
      "resumed: {}{}epoch {}, batch {}, best AU(PRC) {}",
      data_.config.train.members > 1 ? fmt::format("member {}, ", state_.member + 1) : "",
      is_refit() ? "refit, " : "", state_.epoch + 1, state_.batch,
      state_.best_score < 0 ? std::string("none yet") : fmt::format("{:.4f}", state_.best_score)));
}

TrainResult NeuralRun::run() {
  request_.observer->on_begin();
  if (learning_is_over() && (is_refit() || !data_.is_to_refit())) {
    request_.observer->on_message(
        fmt::format("{} epochs are done, nothing is left to train", state_.epoch));
  }
  while (true) {
    if (!run_member()) {
      save_checkpoint();
      if (wish() == StopToken::Wish::kPause && request_.on_pause) request_.on_pause();
      if (wish() == StopToken::Wish::kFinish) return finish_early();
      return {TrainOutcome::kInterrupted, state_.best_score < 0 ? kUndefined : state_.best_score};
    }
    if (state_.member + 1 == data_.config.train.members) break;
    request_.observer->on_message(fmt::format("member {} of {} is done, validation AU(PRC) {:.4f}",
                                              state_.member + 1, data_.config.train.members,
                                              state_.best_score));
    state_ = RunState{.member = state_.member + 1};
    best_.tensors.clear();
    begin_learning();
    save_checkpoint();
  }
  save_checkpoint();  // fitting the linear part and writing the model can fail
  const double score = write_model();
  folder_.finish({data_.config, fingerprint_ + all_fingerprint_, score});
  return {TrainOutcome::kFinished, score};
}

/// Without a refit, and without the members whose turn has not come.
TrainResult NeuralRun::finish_early() {
  TrainOptions& options = data_.config.train;
  std::int64_t num_members = state_.member + 1;
  if (!is_refit()) {
    if (best_.tensors.empty()) validate();
    add_behind_prefix(best_, member_prefix(state_.member, options.members), finished_);
  }
  if (num_members == 1 && options.members > 1) {
    finished_ = copy_without_prefix(finished_, member_prefix(0, options.members));
  }
  request_.observer->on_message(fmt::format(
      "finishing with what is best so far: {}in epoch {}, best validation AU(PRC) {:.4f}{}",
      options.members > 1 ? fmt::format("{} of {} members, ", num_members, options.members) : "",
      state_.epoch + 1, state_.best_score, data_.is_to_refit() ? ", no refit" : ""));
  options.members = num_members;
  options.refit = false;
  all_documents_.reset();
  const double score = write_model();
  folder_.discard_checkpoint();
  return {TrainOutcome::kFinished, score};
}

bool NeuralRun::run_member() {
  const std::string prefix = member_prefix(state_.member, data_.config.train.members);
  if (!is_refit()) {
    if (!learn()) return false;
    // Resumed with fewer epochs than are done, a run can be over before its first validation.
    if (best_.tensors.empty()) validate();
    add_behind_prefix(best_, prefix, finished_);
    if (!data_.is_to_refit()) return true;
    save_checkpoint();  // reading all documents can fail
    begin_refit();
    save_checkpoint();
  }
  if (!learn()) return false;
  add_behind_prefix(learner_->parameters(), prefix, refitted_);
  return true;
}

bool NeuralRun::learn() {
  while (!learning_is_over()) {
    if (!run_epoch()) return false;
  }
  return true;
}

bool NeuralRun::learning_is_over() const {
  if (is_refit()) return state_.step >= state_.refit_steps;
  return state_.epoch >= data_.config.train.epochs ||
         state_.validations_without_gain >= data_.config.train.patience;
}

bool NeuralRun::run_epoch() {
  const std::vector<std::vector<std::size_t>> batches = plan_epoch(
      data().network_documents(), static_cast<std::size_t>(data_.config.train.batch_size),
      member_seed(), state_.epoch);
  learner_->train_word_vectors(state_.epoch >= data_.config.train.frozen_epochs);
  while (state_.batch < num_batches()) {
    train_batch(batches[static_cast<std::size_t>(state_.batch)]);
    ++state_.batch;
    const bool at_end_of_epoch = state_.batch == num_batches();
    request_.observer->on_step(
        {.epoch = state_.epoch,
         .epochs = num_epochs(),
         .batch = state_.batch,
         .batches = num_batches(),
         .loss = state_.loss_sum / static_cast<double>(state_.loss_documents),
         .documents_per_second = clock_.documents_per_second(),
         .seconds_left = seconds_left()});
    if (at_end_of_epoch) {
      ++state_.epoch;
      state_.batch = 0;
      if (is_refit()) forget_loss();
    }
    if (validation_is_due(at_end_of_epoch)) validate();
    if (wish() != StopToken::Wish::kNone) return false;
    if (clock_.seconds() - last_checkpoint_ >= 60 * data_.config.train.checkpoint_minutes)
      save_checkpoint();
    if (at_end_of_epoch || learning_is_over()) break;
  }
  return true;
}

void NeuralRun::train_batch(const std::vector<std::size_t>& documents) {
  const double start = clock_.seconds();
  const double loss = learner_->learn(documents, state_.step, learning_rate());
  ++state_.step;
  state_.loss_sum += loss * static_cast<double>(documents.size());
  state_.loss_documents += static_cast<std::int64_t>(documents.size());
  clock_.add_step(documents.size(), clock_.seconds() - start);
}

bool NeuralRun::validation_is_due(bool at_end_of_epoch) const {
  if (is_refit()) return false;
  const std::int64_t every = data_.config.train.validate_steps;
  if (every == 0) return at_end_of_epoch;
  return state_.step % every == 0 || learning_is_over();
}

void NeuralRun::validate() {
  TensorFile parameters = learner_->parameters();
  ScoreSet scores = learner_->score_validation(parameters);
  make_coherent(data_.hierarchy, scores.combined);
  const double score =
      micro_average_precision(matrix_of(scores.combined, scores), truth_of(data_.validation));
  // An undefined score (validation without a label) must not keep the first parameters for ever.
  const bool is_best = !(score <= state_.best_score);
  if (is_best) {
    state_.best_score = std::isnan(score) ? -1 : score;
    state_.best_step = state_.step;
    state_.validations_without_gain = 0;
    best_ = std::move(parameters);
  } else {
    ++state_.validations_without_gain;
  }
  const ValidationReport report{
      .member = state_.member,
      .step = state_.step,
      .epoch = static_cast<double>(state_.epoch) +
               static_cast<double>(state_.batch) / static_cast<double>(num_batches()),
      .loss = state_.loss_sum / static_cast<double>(state_.loss_documents),
      .score = score,
      .best_score = state_.best_score,
      .is_best = is_best,
      .learning_rate = learning_rate(),
      .documents_per_second = clock_.documents_per_second(),
      .seconds_left = seconds_left()};
  folder_.append_metrics(report, clock_.seconds());
  request_.observer->on_validation(report);
  forget_loss();
}

void NeuralRun::forget_loss() {
  state_.loss_sum = 0;
  state_.loss_documents = 0;
}

void NeuralRun::save_checkpoint() const {
  Checkpoint checkpoint{state_, to_json(data_.config), fingerprint_, all_fingerprint_, kEngine, {}};
  learner_->store(checkpoint.tensors);
  add_behind_prefix(best_, kBest, checkpoint.tensors);
  add_behind_prefix(finished_, kFinished, checkpoint.tensors);
  add_behind_prefix(refitted_, kRefitted, checkpoint.tensors);
  folder_.save(std::move(checkpoint));
  last_checkpoint_ = clock_.seconds();
}

double NeuralRun::write_model() {
  learner_.reset();
  ScoreSet validation_scores =
      Ensemble(data_.config, data_.hierarchy, data_.vocabulary.size(), finished_,
               "the best parameters")
          .score(data_.validation, static_cast<int>(data_.config.train.threads));
  FinishedModel model{data_, all_documents_.get(), std::move(validation_scores),
                      std::move(data_.is_to_refit() ? refitted_ : finished_)};
  add_fusion(model, *request_.observer);
  return write_finished_model(request_.out, std::move(model));
}

/// The first member is what a model of one would be.
std::uint64_t NeuralRun::member_seed() const {
  const auto seed = static_cast<std::uint64_t>(data_.config.train.seed);
  return state_.member == 0 ? seed : mix_seed(~seed, static_cast<std::uint64_t>(state_.member));
}

std::int64_t NeuralRun::num_batches() const { return batches_of(data()); }

std::int64_t NeuralRun::num_epochs() const {
  if (!is_refit()) return data_.config.train.epochs;
  return (state_.refit_steps + num_batches() - 1) / num_batches();
}

double NeuralRun::learning_rate() const {
  return learning_rate_at(data_.config.train, state_.step,
                          data_.config.train.epochs * num_batches());
}

double NeuralRun::seconds_left() const {
  const auto most = static_cast<double>(data_.config.train.epochs * batches_of(data_));
  const double held_out_share =
      static_cast<double>(data_.validation.size()) / static_cast<double>(data_.train.size());
  const double most_of_refit = data_.is_to_refit() ? most * (1 + held_out_share) : 0;
  const auto members_to_come = static_cast<double>(data_.config.train.members - state_.member - 1);
  const double of_this_member =
      is_refit() ? static_cast<double>(state_.refit_steps) : most + most_of_refit;
  const double steps =
      of_this_member - static_cast<double>(state_.step) + members_to_come * (most + most_of_refit);
  return clock_.seconds_for(steps);
}

}  // namespace hmtc
