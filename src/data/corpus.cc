#include "data/corpus.h"

namespace hmtc {

void Corpus::append(std::string id, std::span<const std::int32_t> document_words,
                    std::span<const LabelId> document_labels) {
  ids.push_back(std::move(id));
  words.insert(words.end(), document_words.begin(), document_words.end());
  word_offsets.push_back(words.size());
  labels.insert(labels.end(), document_labels.begin(), document_labels.end());
  label_offsets.push_back(labels.size());
}

}  // namespace hmtc
