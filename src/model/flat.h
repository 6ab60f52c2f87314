#pragma once

#include "model/logit_model.h"

namespace hmtc {

/// The plainest neural model: the encoder, the mean over the words, one linear layer for all
/// labels.
class Flat : public LogitModel {
 public:
  Flat(Encoder encoder, std::int64_t num_labels);

  ModelOutput forward(const WordBatch& batch) override;

 private:
  torch::nn::Linear output_;
};

}  // namespace hmtc
