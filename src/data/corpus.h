#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hierarchy/hierarchy.h"

namespace hmtc {

/// Documents as a model sees them: word ids and closed label sets, one after the other.
struct Corpus {
  std::vector<std::string> ids;
  std::vector<std::size_t> word_offsets = {
      0};  ///< document i: [word_offsets[i], word_offsets[i+1])
  std::vector<std::int32_t> words;
  std::vector<std::size_t> label_offsets = {0};
  std::vector<LabelId> labels;  ///< sorted per document, ancestors included
  std::vector<std::size_t> sentence_offsets = {0};
  std::vector<std::int32_t> sentences;  ///< words of each; none unless they were asked for
  std::size_t max_words = 0;            ///< a network reads so many of a document; 0: all

  std::size_t size() const { return ids.size(); }
  /// What a network reads of a document.
  std::span<const std::int32_t> words_of(std::size_t document) const {
    const std::size_t length = word_offsets[document + 1] - word_offsets[document];
    return std::span(words).subspan(word_offsets[document], words_read(length));
  }
  std::span<const LabelId> labels_of(std::size_t document) const {
    return std::span(labels).subspan(label_offsets[document],
                                     label_offsets[document + 1] - label_offsets[document]);
  }

  std::span<const std::int32_t> sentences_of(std::size_t document) const {
    return std::span(sentences).subspan(
        sentence_offsets[document], sentence_offsets[document + 1] - sentence_offsets[document]);
  }

  /// `document_sentences`: words of each sentence; what a network does not read is cut off.
  void append(std::string id, std::span<const std::int32_t> document_words,
              std::span<const LabelId> document_labels,
              std::span<const std::int32_t> document_sentences = {});

 private:
  std::size_t words_read(std::size_t length) const {
    return max_words == 0 ? length : std::min(length, max_words);
  }
};

}  // namespace hmtc
