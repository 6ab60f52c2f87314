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

/// The components of a level in one batch: how near each word is to them, and each label.
struct ComponentRelevance {
  torch::Tensor S;        ///< (B, N, C)
  torch::Tensor R_tilde;  ///< (L, C)
};

/// Which words a model looks at.
struct WordAttention {
  /// (B, M, N): of each label over the words, zero at padding; undefined: the model has none. A
  /// model whose attention is common to several labels gives it to each of them.
  torch::Tensor A;
  /// (B, M, N): what each word adds to the label's local logit; undefined: not to be told.
  torch::Tensor evidence;
  std::vector<ComponentRelevance> components;  ///< of each level; empty: the model has none
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

  virtual ModelScores scores(const WordBatch& batch) = 0;

  virtual WordAttention attention(const WordBatch&) { return {}; }

  /// Called once before the first step of a new run, when the word vectors have their start values.
  virtual void start_from(const TrainingFacts&) {}

  /// Does once what is the same for all documents. From then on the parameters must not change.
  virtual void prepare_for_prediction() { encoder_->prepare_for_prediction(); }

  /// Called after every step of the optimiser: what the parameters must fulfil.
  virtual void constrain_parameters() {}

  Encoder& encoder() { return encoder_; }

 protected:
  Encoder encoder_;
};

}  // namespace hmtc
