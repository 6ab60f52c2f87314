#include "train/neural_run.h"

#include <fmt/format.h>

#include <cmath>

#include "artifact/model_directory.h"
#include "base/error.h"
#include "base/random.h"
#include "data/truth.h"
#include "metrics/precision_recall.h"
#include "model/model_table.h"
#include "model/parameters.h"
#include "model/scoring.h"
#include "train/batches.h"
#include "train/start_values.h"
#include "train/tune_thresholds.h"

namespace hmtc {
namespace {

constexpr const char* kParameters = "parameters/";
constexpr const char* kBest = "best/";

std::shared_ptr<Model> start_model(const TrainingData& data) {
  torch::manual_seed(static_cast<std::uint64_t>(data.config.train.seed));
  return make_model(data.config, data.hierarchy, static_cast<std::int64_t>(data.vocabulary.size()));
}

/// A thread without a document of the batch would have nothing to do.
std::size_t num_workers(const TrainOptions& options) {
  return static_cast<std::size_t>(std::min(options.threads, options.batch_size));
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

NeuralRun::NeuralRun(const TrainRequest& request, TrainingData data, const RunFolder& folder)
    : request_(request),
      data_(std::move(data)),
      fingerprint_(data_.fingerprint()),
      folder_(folder),
      model_(start_model(data_)),
      workers_(model_, num_workers(data_.config.train), [this] { return start_model(data_); }),
      adam_(*model_, static_cast<int>(num_workers(data_.config.train))) {
  if (const auto checkpoint = folder_.checkpoint()) {
    start_from(*checkpoint);
  } else {
    start_from_vectors();
    start_from_training_data(*model_, data_, *request_.observer);
    folder_.cut_metrics(-1);
  }
}

void NeuralRun::start_from_vectors() {
  if (!data_.vectors) return;
  const torch::NoGradGuard no_grad;
  const WordVectors& vectors = *data_.vectors;
  float* rows = model_->encoder()->embedding().data_ptr<float>();
  for (std::size_t word = 0; word < data_.vocabulary.size(); ++word) {
    if (!vectors.found[word]) continue;  // keeps its random start
    std::copy_n(vectors.values.data() + word * vectors.width, vectors.width,
                rows + word * vectors.width);
  }
}

void NeuralRun::start_from(const Checkpoint& checkpoint) {
  const std::string file = (request_.out / "run" / "checkpoint.safetensors").string();
  load_parameters(*model_, checkpoint.tensors, file, kParameters);
  adam_.load(checkpoint.tensors, file, checkpoint.state.step);
  for (const auto& [name, tensor] : checkpoint.tensors.tensors) {
    if (name.starts_with(kBest)) best_.tensors[name.substr(std::string(kBest).size())] = tensor;
  }
  state_ = checkpoint.state;
  folder_.cut_metrics(state_.step);
  request_.observer->on_message(fmt::format(
      "resumed: epoch {}, batch {}, best AU(PRC) {}", state_.epoch + 1, state_.batch,
      state_.best_score < 0 ? std::string("none yet") : fmt::format("{:.4f}", state_.best_score)));
}

TrainResult NeuralRun::run() {
  request_.observer->on_begin();
  if (is_over()) {
    request_.observer->on_message(
        fmt::format("{} epochs are done, nothing is left to train", state_.epoch));
  }
  while (!is_over()) {
    if (!run_epoch()) {
      save_checkpoint();
      return {TrainOutcome::kInterrupted, state_.best_score};
    }
  }
  // Resumed with fewer epochs than are done, a run can be over before its first validation.
  if (best_.tensors.empty()) {
    const auto batch_size = static_cast<std::size_t>(data_.config.train.batch_size);
    validate((data_.train.size() + batch_size - 1) / batch_size);
  }
  write_model();
  folder_.finish();
  return {TrainOutcome::kFinished, state_.best_score};
}

bool NeuralRun::is_over() const {
  return state_.epoch >= data_.config.train.epochs ||
         state_.validations_without_gain >= data_.config.train.patience;
}

bool NeuralRun::run_epoch() {
  const Batches batches =
      plan_epoch(data_.train, static_cast<std::size_t>(data_.config.train.batch_size),
                 static_cast<std::uint64_t>(data_.config.train.seed), state_.epoch);
  const auto num_batches = static_cast<std::int64_t>(batches.size());
  while (state_.batch < num_batches) {
    train_batch(batches[static_cast<std::size_t>(state_.batch)]);
    ++state_.batch;
    const bool at_end_of_epoch = state_.batch == num_batches;
    request_.observer->on_step(
        {.epoch = state_.epoch,
         .epochs = data_.config.train.epochs,
         .batch = state_.batch,
         .batches = num_batches,
         .loss = state_.loss_sum / static_cast<double>(state_.loss_documents),
         .documents_per_second = documents_per_second(),
         .seconds_left = seconds_left(batches.size())});
    if (at_end_of_epoch) {
      ++state_.epoch;
      state_.batch = 0;
    }
    if (validation_is_due(at_end_of_epoch)) validate(batches.size());
    if (request_.stop != nullptr && request_.stop->load() && !is_over()) return false;
    if (seconds_since(last_checkpoint_) >= 60 * data_.config.train.checkpoint_minutes)
      save_checkpoint();
    if (at_end_of_epoch || is_over()) break;
  }
  return true;
}

void NeuralRun::train_batch(const std::vector<std::size_t>& documents) {
  const auto start = Clock::now();
  const double loss_value =
      workers_.accumulate(data_.train, documents, data_.hierarchy.num_labels(),
                          mix_seed(static_cast<std::uint64_t>(data_.config.train.seed),
                                   static_cast<std::uint64_t>(state_.step)));
  double norm = loss_value;
  if (std::isfinite(loss_value)) {
    norm = adam_.step(learning_rate(), data_.config.train.clip_norm);
    model_->constrain_parameters();
  }
  if (!std::isfinite(norm)) {
    throw Error(
        ErrorKind::kUsage,
        fmt::format("step {}: the {} is not finite (learning rate {:.3g}); try again with a "
                    "smaller train.learning_rate or train.clip_norm and --restart. The last "
                    "checkpoint, if there is one, is intact",
                    state_.step + 1, std::isfinite(loss_value) ? "gradient" : "loss",
                    learning_rate()));
  }
  ++state_.step;
  state_.loss_sum += loss_value * static_cast<double>(documents.size());
  state_.loss_documents += static_cast<std::int64_t>(documents.size());
  ++steps_here_;
  documents_here_ += static_cast<std::int64_t>(documents.size());
  training_seconds_ += seconds_since(start);
}

bool NeuralRun::validation_is_due(bool at_end_of_epoch) const {
  const std::int64_t every = data_.config.train.validate_steps;
  if (every == 0) return at_end_of_epoch;
  return state_.step % every == 0 || is_over();
}

void NeuralRun::validate(std::size_t num_batches) {
  ScoreSet scores = score_corpus(*model_, data_.validation, data_.hierarchy.num_labels(),
                                 static_cast<int>(data_.config.train.threads));
  make_coherent(data_.hierarchy, scores.combined);
  const double score =
      micro_average_precision(matrix_of(scores.combined, scores), truth_of(data_.validation));
  // An undefined score (validation without a label) must not keep the first parameters for ever.
  const bool is_best = !(score <= state_.best_score);
  if (is_best) {
    state_.best_score = std::isnan(score) ? -1 : score;
    state_.best_step = state_.step;
    state_.validations_without_gain = 0;
    best_.tensors.clear();
    store_parameters(*model_, best_);
  } else {
    ++state_.validations_without_gain;
  }
  const ValidationReport report{
      .step = state_.step,
      .epoch = static_cast<double>(state_.epoch) +
               static_cast<double>(state_.batch) / static_cast<double>(num_batches),
      .loss = state_.loss_sum / static_cast<double>(state_.loss_documents),
      .score = score,
      .best_score = state_.best_score,
      .is_best = is_best,
      .learning_rate = learning_rate(),
      .documents_per_second = documents_per_second(),
      .seconds_left = seconds_left(num_batches)};
  folder_.append_metrics(report, seconds_since(start_time_));
  request_.observer->on_validation(report);
  state_.loss_sum = 0;
  state_.loss_documents = 0;
}

void NeuralRun::save_checkpoint() const {
  Checkpoint checkpoint{state_, to_json(data_.config), fingerprint_, {}};
  store_parameters(*model_, checkpoint.tensors, kParameters);
  adam_.store(checkpoint.tensors);
  for (const auto& [name, tensor] : best_.tensors)
    checkpoint.tensors.tensors[kBest + name] = tensor;
  folder_.save(std::move(checkpoint));
  last_checkpoint_ = Clock::now();
}

void NeuralRun::write_model() {
  load_parameters(*model_, best_, "the best parameters");
  ScoreSet scores = score_corpus(*model_, data_.validation, data_.hierarchy.num_labels(),
                                 static_cast<int>(data_.config.train.threads));
  make_coherent(data_.hierarchy, scores.combined);
  TensorFile tensors = best_;
  store_thresholds(tune_thresholds(scores, truth_of(data_.validation)), tensors);
  save_model(request_.out, {data_.config, data_.hierarchy, data_.vocabulary, std::move(tensors)});
}

double NeuralRun::learning_rate() const {
  const std::int64_t decays = state_.step / data_.config.train.decay_steps;
  return data_.config.train.learning_rate *
         std::pow(data_.config.train.decay, static_cast<double>(decays));
}

double NeuralRun::documents_per_second() const {
  return training_seconds_ > 0 ? static_cast<double>(documents_here_) / training_seconds_ : 0;
}

double NeuralRun::seconds_left(std::size_t num_batches) const {
  if (steps_here_ == 0) return 0;
  const double steps = static_cast<double>(data_.config.train.epochs - state_.epoch) *
                           static_cast<double>(num_batches) -
                       static_cast<double>(state_.batch);
  return steps * seconds_since(start_time_) / static_cast<double>(steps_here_);
}

}  // namespace hmtc
