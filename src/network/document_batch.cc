#include "network/document_batch.h"

#include <algorithm>

namespace hmtc {

DocumentBatch make_document_batch(const Corpus& corpus, std::span<const std::size_t> documents) {
  DocumentBatch batch;
  batch.documents = documents.size();
  for (const std::size_t document : documents) {
    const std::size_t length = corpus.words_of(document).size();
    batch.lengths.push_back(static_cast<std::int64_t>(length));
    batch.words = std::max(batch.words, length);
    const auto sentences = corpus.sentences_of(document);
    batch.sentences.emplace_back(sentences.begin(), sentences.end());
  }
  batch.ids.resize(batch.documents * batch.words);
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const auto words = corpus.words_of(documents[i]);
    std::copy(words.begin(), words.end(),
              batch.ids.begin() + static_cast<std::ptrdiff_t>(i * batch.words));
  }
  return batch;
}

}  // namespace hmtc
