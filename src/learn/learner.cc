#include "learn/learner.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"
#include "base/random.h"
#include "learn/start_values.h"
#include "model/model_table.h"
#include "model/parameters.h"
#include "network/network_table.h"
#include "network/scoring.h"

namespace hmtc {
namespace {

constexpr const char* kParameters = "parameters/";

std::shared_ptr<Model> start_model(const TrainingData& data, std::uint64_t seed) {
  torch::manual_seed(seed);
  return make_model(data.config, data.hierarchy, static_cast<std::int64_t>(data.vocabulary.size()));
}

/// A thread without a document of the batch would have nothing to do.
std::size_t num_workers(const TrainOptions& options) {
  return static_cast<std::size_t>(std::min(options.threads, options.batch_size));
}

void copy_vectors(const WordVectors& vectors, torch::Tensor embedding) {
  const torch::NoGradGuard no_grad;
  float* const rows = embedding.data_ptr<float>();
  for (std::size_t word = 0; word < vectors.found.size(); ++word) {
    if (!vectors.found[word]) continue;  // keeps its random start
    std::copy_n(vectors.values.data() + word * vectors.width, vectors.width,
                rows + word * vectors.width);
  }
}

}  // namespace

Learner::Learner(const TrainingData& data, std::uint64_t seed)
    : data_(data),
      seed_(seed),
      model_(start_model(data, seed)),
      workers_(
          model_, num_workers(data.config.train), [&] { return start_model(data, seed); },
          data.config.train.word_dropout),
      adam_(*model_, static_cast<int>(num_workers(data.config.train))),
      average_(*model_, data.config.train.average,
               static_cast<int>(num_workers(data.config.train))) {}

void Learner::start_from_training_data(TrainObserver& observer) {
  if (data_.vectors) copy_vectors(*data_.vectors, model_->encoder()->embedding());
  hmtc::start_from_training_data(*model_, data_, observer);
  average_.begin();
}

void Learner::train_word_vectors(bool train) {
  workers_.train_word_vectors(train && data_.config.encoder.train_embeddings);
}

double Learner::learn(const std::vector<std::size_t>& documents, std::int64_t step,
                      double learning_rate) {
  const double loss = workers_.accumulate(data_.network_documents(), documents, data_.targets(),
                                          mix_seed(seed_, static_cast<std::uint64_t>(step)));
  double norm = loss;
  if (std::isfinite(loss)) {
    average_.before_step();
    norm = adam_.step(learning_rate, data_.config.train.clip_norm, data_.config.train.weight_decay);
    model_->constrain_parameters();
    average_.after_step();
  }
  if (std::isfinite(norm)) return loss;
  throw Error(ErrorKind::kUsage,
              fmt::format("step {}: the {} is not finite (learning rate {:.3g}); try again with a "
                          "smaller train.learning_rate or train.clip_norm and --restart. The last "
                          "checkpoint, if there is one, is intact",
                          step + 1, std::isfinite(loss) ? "gradient" : "loss", learning_rate));
}

ScoreSet Learner::score_validation(const TensorFile& parameters) const {
  const auto network = make_network(data_.config, data_.hierarchy, data_.vocabulary.size(),
                                    Weights(parameters, "the parameters"));
  return score_corpus(*network, data_.validation, data_.hierarchy.num_labels(),
                      static_cast<int>(data_.config.train.threads));
}

TensorFile Learner::parameters() {
  const ParameterAverage::InModel averages(average_);
  TensorFile parameters;
  store_parameters(*model_, parameters);
  return parameters;
}

void Learner::store(TensorFile& file) const {
  store_parameters(*model_, file, kParameters);
  adam_.store(file);
  average_.store(file);
}

void Learner::load(const TensorFile& file, const std::string& file_name, std::int64_t num_steps) {
  load_parameters(*model_, file, file_name, kParameters);
  adam_.load(file, file_name);
  average_.load(file, file_name, num_steps);
}

}  // namespace hmtc
