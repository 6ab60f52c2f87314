// HAN as it answers, to be read beside section 2 of "Hierarchical Attention Networks for Document
// Classification" (Yang et al. 2016).
//
//   B documents   S sentences of all documents   P words of the longest sentence   w word width
//   K sentences of the document with the most    u width of a GRU's direction      c width of
//   contexts
#include "network/han_network.h"

#include <algorithm>

#include "base/parallel.h"
#include "kernels/label_rows.h"
#include "kernels/row_products.h"

namespace hmtc {
namespace {

/// The sentences of a batch.
struct SentenceList {
  std::vector<std::int64_t> lengths;     ///< (S) words of each
  std::vector<std::size_t> first_words;  ///< (S) where its words begin among the (B N) words
  std::vector<std::size_t> documents;    ///< (S) whose it is
  std::vector<std::size_t> numbers;      ///< (S) which of the document's sentences it is
  std::vector<std::int64_t> counts;      ///< (B) sentences of each document
  std::size_t longest = 1;               ///< P
  std::size_t most = 1;                  ///< K

  std::size_t size() const { return lengths.size(); }
  std::size_t length(std::size_t sentence) const {
    return static_cast<std::size_t>(lengths[sentence]);
  }
  std::size_t count(std::size_t document) const {
    return static_cast<std::size_t>(counts[document]);
  }
  /// Its row among the (B K) sentences.
  std::size_t place(std::size_t sentence) const {
    return documents[sentence] * most + numbers[sentence];
  }
};

/// Words of each sentence of one document; blocks of words where it has no sentences.
std::vector<std::size_t> sentence_lengths(const DocumentBatch& batch, std::size_t document,
                                          std::size_t block_words) {
  if (!batch.sentences.empty() && !batch.sentences[document].empty()) {
    return {batch.sentences[document].begin(), batch.sentences[document].end()};
  }
  const std::size_t words = batch.length(document);
  std::vector<std::size_t> lengths(words / block_words, block_words);
  if (words % block_words > 0) lengths.push_back(words % block_words);
  return lengths;
}

SentenceList find_sentences(const DocumentBatch& batch, std::size_t block_words) {
  SentenceList found;
  for (std::size_t document = 0; document < batch.documents; ++document) {
    std::size_t word = document * batch.words;
    std::size_t number = 0;
    for (const std::size_t length : sentence_lengths(batch, document, block_words)) {
      found.lengths.push_back(static_cast<std::int64_t>(length));
      found.first_words.push_back(word);
      found.documents.push_back(document);
      found.numbers.push_back(number++);
      found.longest = std::max(found.longest, length);
      word += length;
    }
    found.counts.push_back(static_cast<std::int64_t>(number));
    found.most = std::max(found.most, number);
  }
  return found;
}

/// The words' vectors I (B N, w), sentence by sentence: (S P, w), padding not set.
Matrix by_sentences(const Matrix& I, const SentenceList& sentences) {
  Matrix words(sentences.size() * sentences.longest, I.columns());
  for (std::size_t s = 0; s < sentences.size(); ++s) {
    std::copy_n(I.row(sentences.first_words[s]).data(), sentences.length(s) * I.columns(),
                words.row(s * sentences.longest).data());
  }
  return words;
}

}  // namespace

HanAttention::HanAttention(const std::string& of, std::size_t width, std::size_t context_width,
                           const Weights& weights) {
  const Weights projection = weights.of(of + "_attention");
  W_transposed_ = packed_transpose(projection.matrix("weight", context_width, width));
  b_ = projection.vector("bias", context_width);
  context_ = weights.vector(of + "_context", context_width);
}

std::vector<float> HanAttention::operator()(const SomeRows& H) const {
  const std::size_t c = context_.size();
  Matrix U = product(H, W_transposed_, c);     // (n, c)
  tanh_rows(U.data(), H.count, c, b_.data());  // (n, c)
  std::vector<float> alpha(H.count);           // (n)
  multiply_rows({context_.data(), 1, c}, {U.data(), H.count, c}, c, alpha.data(), H.count);
  softmax_rows(alpha.data(), H.count, 1, H.count);
  return alpha;
}

HanNetwork::HanNetwork(const HanOptions& options, WordEncoder encoder, std::size_t num_labels,
                       const Weights& weights)
    : block_words_(static_cast<std::size_t>(options.block_words)),
      encoder_(std::move(encoder)),
      word_gru_(weights.of("word_gru"), encoder_.width(),
                static_cast<std::size_t>(options.gru_width)),
      sentence_gru_(weights.of("sentence_gru"), word_gru_.out_width(),
                    static_cast<std::size_t>(options.gru_width)),
      word_attention_("word", word_gru_.out_width(),
                      static_cast<std::size_t>(options.attention_width), weights),
      sentence_attention_("sentence", sentence_gru_.out_width(),
                          static_cast<std::size_t>(options.attention_width), weights),
      output_(weights.of("output"), sentence_gru_.out_width(), num_labels) {}

HanNetwork::Output HanNetwork::run(const DocumentBatch& batch) const {
  const SentenceList sentences = find_sentences(batch, block_words_);
  const std::size_t P = sentences.longest;
  const std::size_t K = sentences.most;
  const std::size_t width = word_gru_.out_width();
  const Matrix words = by_sentences(encoder_(batch), sentences);  // (S P, w)
  Matrix H(words.rows(), width);                                  // (S P, 2 u)
  word_gru_.run({words.data(), sentences.lengths, P}, batch.threads, H.data(), width);
  std::vector<std::vector<float>> alpha(sentences.size());  // of each sentence, (n)
  Matrix s(batch.documents * K, width);                     // (B K, 2 u)
  parallel_for(sentences.size(), batch.threads, [&](std::size_t i) {
    const SomeRows own{H, i * P, sentences.length(i)};
    alpha[i] = word_attention_(own);
    weighted_sum(alpha[i], own, s.row(sentences.place(i)));
  });

  Matrix H_s(s.rows(), width);  // (B K, 2 u)
  sentence_gru_.run({s.data(), sentences.counts, K}, batch.threads, H_s.data(), width);
  std::vector<std::vector<float>> alpha_s(batch.documents);  // of each document, (sentences)
  Output out{Matrix(batch.documents, width), Matrix::filled(batch.documents, batch.words, 0)};
  parallel_for(batch.documents, batch.threads, [&](std::size_t b) {
    const SomeRows own{H_s, b * K, sentences.count(b)};
    alpha_s[b] = sentence_attention_(own);
    weighted_sum(alpha_s[b], own, out.v.row(b));  // zero without words
  });
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    add_scaled(alpha[i], alpha_s[sentences.documents[i]][sentences.numbers[i]],
               out.attention.values().subspan(sentences.first_words[i]));
  }
  return out;
}

NetworkScores HanNetwork::scores(const DocumentBatch& batch) const {
  return scores_of({{}, output_(run(batch).v, batch.threads)}, /*local_weight=*/0);
}

WordAttention HanNetwork::attention(const DocumentBatch& one,
                                    std::span<const LabelId> labels) const {
  const Matrix words = run(one).attention;  // (1, N)
  WordAttention result;
  result.A = Matrix(labels.size(), one.words);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    std::copy(words.row(0).begin(), words.row(0).end(), result.A.row(i).begin());
  }
  return result;
}

}  // namespace hmtc
