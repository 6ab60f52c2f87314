#pragma once

#include <string>
#include <vector>

#include "config/options.h"
#include "network/bi_recurrent.h"
#include "network/dense.h"
#include "network/network.h"
#include "network/word_encoder.h"

namespace hmtc {

/// Which rows of a sequence matter: softmax of tanh(W H + b) . context.
class HanAttention {
 public:
  /// The tensors of `of`_attention and `of`_context; rows of H are `width` wide.
  HanAttention(const std::string& of, std::size_t width, std::size_t context_width,
               const Weights& weights);

  std::vector<float> operator()(const SomeRows& H) const;

 private:
  PackedMatrix W_transposed_;       // (width, c)
  std::vector<float> b_, context_;  // (c)
};

/// HAN (Yang et al. 2016): a Bi-GRU with attention over the words of each sentence, and another
/// over the sentences. Where a document has no sentences, blocks of words take their place.
class HanNetwork : public Network {
 public:
  HanNetwork(const HanOptions& options, WordEncoder encoder, std::size_t num_labels,
             const Weights& weights);

  NetworkScores scores(const DocumentBatch& batch) const override;
  bool has_attention() const override { return true; }
  /// A word's weight in its sentence times the sentence's, the same for all labels.
  WordAttention attention(const DocumentBatch& one, std::span<const LabelId> labels) const override;

 private:
  struct Output {
    Matrix v;          ///< (B, 2 u) the documents
    Matrix attention;  ///< (B, N) of the words, zero at padding
  };
  Output run(const DocumentBatch& batch) const;

  std::size_t block_words_;
  WordEncoder encoder_;
  BiGruLayer word_gru_, sentence_gru_;
  HanAttention word_attention_, sentence_attention_;
  Dense output_;
};

}  // namespace hmtc
