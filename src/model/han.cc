// HAN, to be read beside section 2 of "Hierarchical Attention Networks for Document Classification"
// (Yang et al. 2016).
//
//   B documents   S sentences of all documents   P words of the longest sentence   e word width
//   K sentences of the document with the most    u width of a GRU's direction      c width of
//   contexts
#include "model/han.h"

#include <algorithm>

#include "encoder/bi_gru.h"
#include "model/initialise.h"
#include "model/over_words.h"

namespace hmtc {
namespace {

torch::nn::GRU bidirectional(std::int64_t in, std::int64_t width) {
  return torch::nn::GRU(torch::nn::GRUOptions(in, width).batch_first(true).bidirectional(true));
}

/// Where each sentence stands among the words of a batch.
struct Sentences {
  torch::Tensor word_index;      ///< (S, P) into the (B N) words of the batch, 0 at padding
  torch::Tensor lengths;         ///< (S)
  torch::Tensor sentence_index;  ///< (B, K) into the S sentences, 0 at padding
  torch::Tensor counts;          ///< (B) sentences of each document
};

/// Words of each sentence of one document; blocks of words where it has no sentences.
std::vector<std::int64_t> sentence_lengths(const WordBatch& batch, std::int64_t document,
                                           std::int64_t block_words) {
  std::vector<std::int64_t> lengths;
  if (batch.sentences.defined()) {
    const auto row = batch.sentences.accessor<std::int64_t, 2>()[document];
    for (std::int64_t i = 0; i < row.size(0) && row[i] > 0; ++i) lengths.push_back(row[i]);
    if (!lengths.empty()) return lengths;
  }
  std::int64_t left = batch.lengths[document].item<std::int64_t>();
  for (; left > 0; left -= block_words) lengths.push_back(std::min(left, block_words));
  return lengths;
}

Sentences find_sentences(const WordBatch& batch, std::int64_t block_words) {
  const std::int64_t documents = batch.ids.size(0);
  std::vector<std::vector<std::int64_t>> lengths;
  std::int64_t total = 0, most = 1, longest = 1;
  for (std::int64_t i = 0; i < documents; ++i) {
    lengths.push_back(sentence_lengths(batch, i, block_words));
    const auto count = static_cast<std::int64_t>(lengths.back().size());
    total += count;
    most = std::max(most, count);
    for (const std::int64_t length : lengths.back()) longest = std::max(longest, length);
  }
  total = std::max<std::int64_t>(total, 1);  // a batch without a word: one sentence without any
  Sentences found{
      torch::zeros({total, longest}, torch::kInt64), torch::zeros({total}, torch::kInt64),
      torch::zeros({documents, most}, torch::kInt64), torch::zeros({documents}, torch::kInt64)};
  auto word_index = found.word_index.accessor<std::int64_t, 2>();
  auto sentence_index = found.sentence_index.accessor<std::int64_t, 2>();
  std::int64_t sentence = 0;
  for (std::int64_t i = 0; i < documents; ++i) {
    std::int64_t word = i * batch.ids.size(1);
    const auto& own = lengths[static_cast<std::size_t>(i)];
    for (std::size_t k = 0; k < own.size(); ++k, ++sentence) {
      for (std::int64_t p = 0; p < own[k]; ++p) word_index[sentence][p] = word++;
      found.lengths.data_ptr<std::int64_t>()[sentence] = own[k];
      sentence_index[i][static_cast<std::int64_t>(k)] = sentence;
    }
    found.counts.data_ptr<std::int64_t>()[i] = static_cast<std::int64_t>(own.size());
  }
  return found;
}

/// Rows of `from` (R, width) put in the order of `index` (A, B): (A, B, width).
torch::Tensor rows_at(const torch::Tensor& from, const torch::Tensor& index) {
  return from.index_select(0, index.flatten()).view({index.size(0), index.size(1), from.size(1)});
}

/// softmax over the places of tanh(projection H) . context, zero at padding.
torch::Tensor attention_over(const torch::Tensor& H, torch::nn::Linear& projection,
                             const torch::Tensor& context, const torch::Tensor& lengths) {
  return softmax_over_words(torch::matmul(torch::tanh(projection(H)), context), lengths);
}

/// The sum of the rows of H (A, P, width) with the weights (A, P).
torch::Tensor weighted_sum(const torch::Tensor& weights, const torch::Tensor& H) {
  return torch::bmm(weights.unsqueeze(1), H).squeeze(1);
}

/// (B, N): alpha (S, P) within the sentences times alpha_s (B, K) of the sentences.
torch::Tensor attention_of_words(const Sentences& sentences, const torch::Tensor& alpha,
                                 const torch::Tensor& alpha_s, std::int64_t words) {
  const auto is_sentence =
      torch::arange(alpha_s.size(1)) < sentences.counts.unsqueeze(1);  // (B, K)
  const auto of_sentence = torch::zeros({alpha.size(0)}, alpha.options())
                               .index_put({sentences.sentence_index.masked_select(is_sentence)},
                                          alpha_s.masked_select(is_sentence));         // (S)
  const auto is_word = torch::arange(alpha.size(1)) < sentences.lengths.unsqueeze(1);  // (S, P)
  return torch::zeros({alpha_s.size(0) * words}, alpha.options())
      .index_put({sentences.word_index.masked_select(is_word)},
                 (alpha * of_sentence.unsqueeze(1)).masked_select(is_word))
      .view({alpha_s.size(0), words});
}

}  // namespace

Han::Han(const HanOptions& options, Encoder encoder, std::int64_t num_labels)
    : LogitModel(std::move(encoder), /*local_weight=*/0),
      options_(options),
      word_gru_(bidirectional(encoder_->width(), options.gru_width)),
      sentence_gru_(bidirectional(2 * options.gru_width, options.gru_width)),
      word_attention_(2 * options.gru_width, options.attention_width),
      sentence_attention_(2 * options.gru_width, options.attention_width),
      output_(2 * options.gru_width, num_labels) {
  register_module("word_gru", word_gru_);
  register_module("word_attention", word_attention_);
  word_context_ = register_parameter("word_context", torch::empty({options.attention_width}));
  register_module("sentence_gru", sentence_gru_);
  register_module("sentence_attention", sentence_attention_);
  sentence_context_ =
      register_parameter("sentence_context", torch::empty({options.attention_width}));
  register_module("output", output_);
  initialise(*this, Profile::kPaper);
}

HanOutput Han::run(const WordBatch& batch, Detail detail) {
  const Sentences sentences = find_sentences(batch, options_.block_words);
  const auto I = encoder_(batch);                                            // (B, N, e)
  const auto words = rows_at(I.flatten(0, 1), sentences.word_index);         // (S, P, e)
  const auto H = bi_gru(words, sentences.lengths, word_gru_->parameters());  // (S, P, 2u)
  const auto alpha = attention_over(H, word_attention_, word_context_, sentences.lengths);
  const auto s = weighted_sum(alpha, H);                          // (S, 2u)
  const auto of_document = rows_at(s, sentences.sentence_index);  // (B, K, 2u)
  const auto H_s = bi_gru(of_document, sentences.counts, sentence_gru_->parameters());
  const auto alpha_s = attention_over(H_s, sentence_attention_, sentence_context_,
                                      sentences.counts);  // (B, K)
  const auto v = weighted_sum(alpha_s, H_s);              // (B, 2u)

  HanOutput out;
  out.logits = output_(v);  // (B, M)
  if (detail == Detail::kEverything) {
    out.attention = attention_of_words(sentences, alpha, alpha_s, I.size(1));
  }
  return out;
}

}  // namespace hmtc
