#pragma once

#include "config/options.h"
#include "model/label_attention.h"
#include "model/logit_model.h"

namespace hmtc {

struct HanOutput {
  torch::Tensor logits;     ///< (B, M)
  torch::Tensor attention;  ///< (B, N): a word's weight in its sentence times the sentence's;
                            ///< undefined with Detail::kResults
};

/// HAN (Yang et al. 2016): a Bi-GRU with attention over the words of each sentence, and another
/// over the sentences. Without sentences in the batch, blocks of words take their place.
class Han : public LogitModel {
 public:
  Han(const HanOptions& options, Encoder encoder, std::int64_t num_labels);

  ModelOutput forward(const WordBatch& batch) override {
    return {{}, run(batch, Detail::kResults).logits};
  }

  HanOutput run(const WordBatch& batch, Detail detail);

 private:
  HanOptions options_;
  torch::nn::GRU word_gru_, sentence_gru_;
  torch::nn::Linear word_attention_, sentence_attention_;
  torch::Tensor word_context_, sentence_context_;
  torch::nn::Linear output_;
};

}  // namespace hmtc
