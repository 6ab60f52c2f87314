#pragma once

#include <torch/torch.h>

#include "config/options.h"
#include "encoder/bi_lstm.h"
#include "encoder/word_batch.h"

namespace hmtc {

/// Word ids to word vectors: an embedding, and over it a Bi-LSTM when the options say so, whose
/// output the word's own vector may follow.
/// A padded word has the zero vector and changes no real word's vector.
class EncoderImpl : public torch::nn::Module {
 public:
  /// `options.kind` must be resolved (not kAuto). Draws the start values from torch's generator.
  EncoderImpl(const EncoderOptions& options, std::int64_t vocabulary_size);

  /// (B, N, w) with w = width().
  torch::Tensor forward(const WordBatch& batch);

  std::int64_t width() const { return width_; }
  /// The table of word vectors, (vocabulary, e); its gradient is sparse.
  torch::Tensor& embedding() { return embedding_; }

 private:
  torch::Tensor run_lstm(const torch::Tensor& vectors, const WordBatch& batch);

  EncoderOptions options_;
  std::int64_t width_;
  torch::Tensor embedding_;
  torch::nn::LSTM lstm_{nullptr};
};
TORCH_MODULE(Encoder);

}  // namespace hmtc
