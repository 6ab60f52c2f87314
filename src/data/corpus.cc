#include "data/corpus.h"

namespace hmtc {

void Corpus::append(std::string id, std::span<const std::int32_t> document_words,
                    std::span<const LabelId> document_labels,
                    std::span<const std::int32_t> document_sentences) {
  ids.push_back(std::move(id));
  words.insert(words.end(), document_words.begin(), document_words.end());
  word_offsets.push_back(words.size());
  labels.insert(labels.end(), document_labels.begin(), document_labels.end());
  label_offsets.push_back(labels.size());
  auto left = static_cast<std::int32_t>(words_read(document_words.size()));
  for (std::size_t i = 0; i < document_sentences.size() && left > 0; ++i) {
    sentences.push_back(std::min(document_sentences[i], left));
    left -= sentences.back();
  }
  sentence_offsets.push_back(sentences.size());
}

}  // namespace hmtc
