#include "encoder/word_batch.h"

#include <algorithm>

namespace hmtc {

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
  return {ids, mask, lengths};
}

}  // namespace hmtc
