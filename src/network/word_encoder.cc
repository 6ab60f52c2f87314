#include "network/word_encoder.h"

#include <algorithm>

namespace hmtc {

WordEncoder::WordEncoder(const EncoderOptions& options, std::size_t vocabulary_size,
                         const Weights& weights)
    : residual_(options.residual) {
  const auto e = static_cast<std::size_t>(options.embedding_width);
  embedding_ = weights.matrix("embedding.weight", vocabulary_size, e);
  if (options.kind == EncoderKind::kBiLstm) {
    lstm_.emplace(weights.of("lstm"), e, static_cast<std::size_t>(options.lstm_width));
  }
}

std::size_t WordEncoder::width() const {
  if (!lstm_) return embedding_.columns();
  return lstm_->out_width() + (residual_ ? embedding_.columns() : 0);
}

Matrix WordEncoder::operator()(const DocumentBatch& batch) const {
  const std::size_t e = embedding_.columns();
  Matrix vectors(batch.ids.size(), e);  // (B N, e)
  for (std::size_t i = 0; i < batch.ids.size(); ++i) {
    const auto row = embedding_.row(static_cast<std::size_t>(batch.ids[i]));
    std::copy(row.begin(), row.end(), vectors.row(i).begin());
  }
  if (!lstm_) return vectors;
  Matrix encoded = Matrix::filled(vectors.rows(), width(), 0);  // (B N, 2 u [+ e])
  lstm_->run({vectors.data(), batch.lengths, batch.words}, batch.threads, encoded.data(),
             encoded.columns());
  for (std::size_t i = 0; residual_ && i < vectors.rows(); ++i) {
    const auto own = vectors.row(i);
    std::copy(own.begin(), own.end(), encoded.row(i).end() - static_cast<std::ptrdiff_t>(e));
  }
  return encoded;
}

Matrix mean_over_words(const Matrix& I, const DocumentBatch& batch) {
  Matrix mean = Matrix::filled(batch.documents, I.columns(), 0);
  for (std::size_t document = 0; document < batch.documents; ++document) {
    const std::size_t words = batch.length(document);
    for (std::size_t n = 0; n < words; ++n) {
      add_scaled(I.row(document * batch.words + n), 1 / static_cast<float>(words),
                 mean.row(document));
    }
  }
  return mean;
}

}  // namespace hmtc
