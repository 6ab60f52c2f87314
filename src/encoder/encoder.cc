#include "encoder/encoder.h"

#include "encoder/dropout.h"
#include "text/vocabulary.h"

namespace hmtc {
namespace {

/// Keeps the checkpoint's name `encoder.embedding.weight` for a bare tensor.
class EmbeddingTable : public torch::nn::Module {
 public:
  EmbeddingTable(torch::Tensor values, bool trainable) {
    weight = register_parameter("weight", std::move(values), trainable);
  }
  torch::Tensor weight;
};

}  // namespace

EncoderImpl::EncoderImpl(const EncoderOptions& options, std::int64_t vocabulary_size)
    : options_(options), width_(options.embedding_width) {
  // The scale of GloVe's vectors, so that words with and without one look alike to the model (D9).
  constexpr double kWordVectorScale = 0.4;
  torch::Tensor start = torch::randn({vocabulary_size, options.embedding_width}) * kWordVectorScale;
  start[Vocabulary::kPadding].zero_();  // D14
  embedding_ = register_module("embedding",
                               std::make_shared<EmbeddingTable>(start, options.train_embeddings))
                   ->weight;
  if (options.kind == EncoderKind::kBiLstm) {
    width_ = 2 * options.lstm_width + (options.residual ? options.embedding_width : 0);
    lstm_ = register_module(
        "lstm", torch::nn::LSTM(torch::nn::LSTMOptions(options.embedding_width, options.lstm_width)
                                    .batch_first(true)
                                    .bidirectional(true)));
  }
}

torch::Tensor EncoderImpl::forward(const WordBatch& batch) {
  torch::Tensor vectors =
      torch::embedding(embedding_, batch.ids, Vocabulary::kPadding,
                       /*scale_grad_by_freq=*/false, /*sparse=*/true);  // (B, N, e)  D16
  const auto dropped = [&](const torch::Tensor& all) {
    return dropout(all, options_.dropout, is_training(), batch.seed);  // D8
  };
  if (!lstm_) return dropped(vectors);
  const bool before = options_.dropout_place == DropoutPlace::kEmbedding;
  if (before) vectors = dropped(vectors);
  torch::Tensor encoded = run_lstm(vectors, batch);                     // (B, N, 2 u)
  if (options_.residual) encoded = torch::cat({encoded, vectors}, -1);  // (B, N, 2 u + e)
  return before ? encoded : dropped(encoded);
}

torch::Tensor EncoderImpl::run_lstm(const torch::Tensor& vectors, const WordBatch& batch) {
  if (bi_lstm_kernel_applies(vectors)) {
    return bi_lstm(vectors, batch.lengths, lstm_->parameters());
  }
  // Packing makes each direction start at the document's own first and last word. A packed
  // sequence has at least one word: an empty document runs over its padding, and is masked after.
  const auto packed = torch::nn::utils::rnn::pack_padded_sequence(
      vectors, batch.lengths.clamp_min(1), /*batch_first=*/true, /*enforce_sorted=*/false);
  const auto encoded = std::get<0>(lstm_->forward_with_packed_input(packed));
  const torch::Tensor padded = std::get<0>(torch::nn::utils::rnn::pad_packed_sequence(
      encoded, /*batch_first=*/true, /*padding_value=*/0.0, vectors.size(1)));
  return padded * batch.mask.unsqueeze(-1);
}

}  // namespace hmtc
