#include "encoder/word_batch.h"

#include <algorithm>

#include "base/random.h"
#include "text/vocabulary.h"

namespace hmtc {

namespace {

torch::Tensor sentences_of(const Corpus& corpus, std::span<const std::size_t> documents) {
  std::size_t most = 1;
  for (const std::size_t i : documents) most = std::max(most, corpus.sentences_of(i).size());
  torch::Tensor sentences =
      torch::zeros({static_cast<std::int64_t>(documents.size()), static_cast<std::int64_t>(most)},
                   torch::kInt64);
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const auto own = corpus.sentences_of(documents[i]);
    std::copy(own.begin(), own.end(), sentences.data_ptr<std::int64_t>() + i * most);
  }
  return sentences;
}

}  // namespace

WordBatch make_word_batch(const Corpus& corpus, std::span<const std::size_t> documents) {
  const auto size = static_cast<std::int64_t>(documents.size());
  std::int64_t longest = 1;
  torch::Tensor lengths = torch::empty({size}, torch::kInt64);
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const auto length = static_cast<std::int64_t>(corpus.words_of(documents[i]).size());
    lengths.data_ptr<std::int64_t>()[i] = length;
    longest = std::max(longest, length);
  }
  torch::Tensor ids = torch::zeros({size, longest}, torch::kInt64);
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const auto words = corpus.words_of(documents[i]);
    std::copy(words.begin(), words.end(),
              ids.data_ptr<std::int64_t>() + static_cast<std::int64_t>(i) * longest);
  }
  const torch::Tensor mask = torch::arange(longest).unsqueeze(0) < lengths.unsqueeze(1);
  WordBatch batch{ids, mask, lengths, {}};
  if (!corpus.sentences.empty()) batch.sentences = sentences_of(corpus, documents);
  return batch;
}

void drop_words(WordBatch& batch, std::span<const std::size_t> documents, double rate,
                std::uint64_t seed) {
  if (rate == 0) return;
  constexpr double kOneAboveAll = 18446744073709551616.0;  // 2^64
  auto ids = batch.ids.accessor<std::int64_t, 2>();
  const auto lengths = batch.lengths.accessor<std::int64_t, 1>();
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const auto row = static_cast<std::int64_t>(i);
    Random random(mix_seed(seed, documents[i]));
    for (std::int64_t word = 0; word < lengths[row]; ++word) {
      if (static_cast<double>(random.next()) < rate * kOneAboveAll) {
        ids[row][word] = Vocabulary::kUnknown;
      }
    }
  }
}

}  // namespace hmtc
