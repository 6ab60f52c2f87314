#pragma once

#include <torch/torch.h>

#include <vector>

#include "encoder/encoder.h"

namespace hmtc {

/// Probabilities of a batch, each (B, M). M labels over all levels, ids as in the hierarchy.
struct ModelScores {
  torch::Tensor local;   ///< undefined unless the model has both kinds of classifiers
  torch::Tensor global;  ///< undefined unless the model has both kinds of classifiers
  torch::Tensor combined;
};

/// What a new model may take from the training data beside its random start values.
struct TrainingFacts {
  std::vector<float> rarity;  ///< of each word; see data/word_rarity.h
  /// For each label the ids of its name's words; empty when names are not asked for.
  std::vector<std::vector<std::int32_t>> label_names;
};

/// A neural classifier: an encoder and what stands over it. Parameters and buffers carry the names
/// of docs/formats.md.
class Model : public torch::nn::Module {
 public:
  explicit Model(Encoder encoder) : encoder_(register_module("encoder", std::move(encoder))) {}

  /// The mean over the documents of what the model minimises; targets (B, M) are between 0 and 1.
  virtual torch::Tensor loss(const WordBatch& batch, const torch::Tensor& targets) = 0;

  /// What the model says of documents; once it is trained, the networks of src/network answer.
  virtual ModelScores scores(const WordBatch& batch) = 0;

  /// Called once before the first step of a new run, when the word vectors have their start values.
  virtual void start_from(const TrainingFacts&) {}

  /// Called after every step of the optimiser: what the parameters must fulfil.
  virtual void constrain_parameters() {}

  Encoder& encoder() { return encoder_; }

 protected:
  Encoder encoder_;
};

}  // namespace hmtc
