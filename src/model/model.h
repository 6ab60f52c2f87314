#pragma once

#include <torch/torch.h>

#include "encoder/encoder.h"

namespace hmtc {

/// What a model says of a batch. M labels over all levels, ids as in the hierarchy.
struct ModelOutput {
  torch::Tensor local_logits;   ///< (B, M)
  torch::Tensor global_logits;  ///< (B, M)
};

/// Probabilities of a batch, each (B, M).
struct ModelScores {
  torch::Tensor local;
  torch::Tensor global;
  torch::Tensor combined;
};

/// A neural classifier: an encoder and what stands over it. Parameters carry the names of
/// docs/formats.md.
class Model : public torch::nn::Module {
 public:
  explicit Model(Encoder encoder) : encoder_(register_module("encoder", std::move(encoder))) {}

  virtual ModelOutput forward(const WordBatch& batch) = 0;

  /// Does once what is the same for all documents. From then on the parameters must not change.
  virtual void prepare_for_prediction() { encoder_->prepare_for_prediction(); }

  /// The mean over the documents of what the model minimises; targets (B, M) are 0 or 1.
  virtual torch::Tensor loss(const ModelOutput& output, const torch::Tensor& targets) const = 0;

  /// The one place where logits become probabilities.
  virtual ModelScores scores(const ModelOutput& output) const = 0;

  Encoder& encoder() { return encoder_; }

 protected:
  Encoder encoder_;
};

}  // namespace hmtc
