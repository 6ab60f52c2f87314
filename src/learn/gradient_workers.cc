#include "learn/gradient_workers.h"

#include <cmath>
#include <numeric>

#include "base/parallel.h"
#include "base/random.h"
#include "learn/batches.h"

namespace hmtc {

GradientWorkers::GradientWorkers(std::shared_ptr<Model> model, std::size_t num_threads,
                                 const std::function<std::shared_ptr<Model>()>& make_copy,
                                 double word_dropout)
    : models_{std::move(model)}, word_dropout_(word_dropout) {
  parameters_.push_back(models_.front()->parameters());
  buffers_.push_back(models_.front()->buffers());
  while (models_.size() < num_threads) {
    models_.push_back(make_copy());
    parameters_.push_back(models_.back()->parameters());
    buffers_.push_back(models_.back()->buffers());
    for (std::size_t i = 0; i < parameters_.front().size(); ++i) {
      parameters_.back()[i].set_data(parameters_.front()[i].data());
    }
  }
}

void GradientWorkers::train_word_vectors(bool train) {
  for (const auto& model : models_) model->encoder()->embedding().set_requires_grad(train);
}

double GradientWorkers::accumulate(const Corpus& corpus, const std::vector<std::size_t>& documents,
                                   const Targets& targets, std::uint64_t seed) {
  const std::size_t workers = std::min(models_.size(), documents.size());
  std::vector<double> losses(workers);
  hand_out_buffers();
  const auto shares = shares_of_words(corpus, documents, workers);
  parallel_for(workers, static_cast<int>(workers), [&](std::size_t worker) {
    const std::span<const std::size_t> share = shares[worker];
    WordBatch batch = make_word_batch(corpus, share);
    drop_words(batch, share, word_dropout_, ~seed);
    batch.seed = mix_seed(seed, worker);
    Model& model = *models_[worker];
    model.train();
    const torch::Tensor loss =
        model.loss(batch, targets_of(corpus, share, targets)) *
        (static_cast<double>(share.size()) / static_cast<double>(documents.size()));
    losses[worker] = loss.item<double>();
    if (std::isfinite(losses[worker])) loss.backward();  // another share's may not be
  });
  add_up_gradients();
  gather_buffers(workers);
  const double total = std::accumulate(losses.begin(), losses.end(), 0.0);
  if (!std::isfinite(total)) {
    for (torch::Tensor& parameter : parameters_.front()) parameter.mutable_grad().reset();
  }
  return total;
}

void GradientWorkers::add_up_gradients() {
  const auto threads = static_cast<int>(models_.size());
  parallel_for(parameters_.front().size(), threads, [&](std::size_t i) {
    for (std::size_t worker = 1; worker < models_.size(); ++worker) {
      torch::Tensor& gradient = parameters_[worker][i].mutable_grad();
      if (!gradient.defined()) continue;
      torch::Tensor& sum = parameters_.front()[i].mutable_grad();
      sum = sum.defined() ? sum.add_(gradient) : gradient;
      gradient.reset();
    }
  });
}

void GradientWorkers::hand_out_buffers() {
  const torch::NoGradGuard no_grad;
  for (std::size_t worker = 1; worker < models_.size(); ++worker) {
    for (std::size_t i = 0; i < buffers_.front().size(); ++i) {
      buffers_[worker][i].copy_(buffers_.front()[i]);
    }
  }
}

void GradientWorkers::gather_buffers(std::size_t workers) {
  const torch::NoGradGuard no_grad;
  for (std::size_t i = 0; i < buffers_.front().size(); ++i) {
    torch::Tensor& mean = buffers_.front()[i];
    for (std::size_t worker = 1; worker < workers; ++worker) mean += buffers_[worker][i];
    mean /= static_cast<double>(workers);
  }
}

}  // namespace hmtc
