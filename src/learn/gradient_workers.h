#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "data/corpus.h"
#include "learn/batches.h"
#include "model/model.h"

namespace hmtc {

/// Computes the gradient of a batch on several threads: each thread takes a share of the documents
/// through a copy of the model that shares the parameters' memory, and the shares' gradients are
/// added in a fixed order. Same model, documents, seed and number of threads: the same bits.
class GradientWorkers {
 public:
  /// `make_copy` makes a model of the same shape as `model`; its parameters' own memory is given up
  /// before the next one is made. Words are taken for the unknown one at the rate `word_dropout`.
  GradientWorkers(std::shared_ptr<Model> model, std::size_t num_threads,
                  const std::function<std::shared_ptr<Model>()>& make_copy,
                  double word_dropout = 0);

  /// Whether there is a gradient of the word vectors from now on.
  void train_word_vectors(bool train);

  /// Adds the gradient of the mean loss over the documents to the model's parameters and returns
  /// that loss. When it is not finite there is no gradient. `seed` decides the dropout, and that of
  /// words on any number of threads alike.
  double accumulate(const Corpus& corpus, const std::vector<std::size_t>& documents,
                    const Targets& targets, std::uint64_t seed);

 private:
  void add_up_gradients();
  /// Gives all copies the statistics of the model, which may have been loaded.
  void hand_out_buffers();
  /// Gives the model the mean of the statistics that the first `workers` have gathered.
  void gather_buffers(std::size_t workers);

  std::vector<std::shared_ptr<Model>> models_;  // the model itself first
  std::vector<std::vector<torch::Tensor>> parameters_;
  std::vector<std::vector<torch::Tensor>> buffers_;
  double word_dropout_;
};

}  // namespace hmtc
