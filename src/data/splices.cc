#include "data/splices.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace hmtc {
namespace {

constexpr std::uint64_t kNumCuts = 1 << 20;  // cuts are multiples of 1 / kNumCuts

/// Neighbouring words of a document, by their places in it.
struct Part {
  std::size_t document;
  std::size_t begin;
  std::size_t end;
};

std::size_t length_of(const Corpus& corpus, std::size_t document, std::size_t most_words) {
  const std::size_t length = corpus.words_of(document).size();
  return most_words == 0 ? length : std::min(length, most_words);
}

std::size_t place_of(double cut, std::size_t length) {
  return static_cast<std::size_t>(std::lround(cut * static_cast<double>(length)));
}

void append_words(const Corpus& corpus, const Part& part, std::vector<std::int32_t>& words) {
  const auto added = corpus.words_of(part.document).subspan(part.begin, part.end - part.begin);
  words.insert(words.end(), added.begin(), added.end());
}

/// The lengths of the part's sentences; those at its ends may be shortened.
void append_sentences(const Corpus& corpus, const Part& part,
                      std::vector<std::int32_t>& sentences) {
  std::size_t begin = 0;
  for (const std::int32_t length : corpus.sentences_of(part.document)) {
    const std::size_t end = begin + static_cast<std::size_t>(length);
    const std::size_t first = std::max(begin, part.begin);
    const std::size_t last = std::min(end, part.end);
    if (first < last) sentences.push_back(static_cast<std::int32_t>(last - first));
    begin = end;
  }
}

}  // namespace

std::vector<Splice> plan_splices(std::size_t num_documents, std::size_t count, std::uint64_t seed) {
  Random random(mix_seed(seed, count));  // the seed itself has divided the documents
  std::vector<Splice> splices(count);
  for (Splice& splice : splices) {
    splice.first_document = random.below(num_documents);
    splice.second_document = random.below(num_documents);
    splice.cut = static_cast<double>(random.below(kNumCuts)) / static_cast<double>(kNumCuts);
  }
  return splices;
}

void append_splices(const Corpus& from, std::span<const Splice> splices, std::size_t most_words,
                    Corpus& to) {
  for (const Splice& splice : splices) {
    const std::size_t first_length = length_of(from, splice.first_document, most_words);
    const std::size_t second_length = length_of(from, splice.second_document, most_words);
    const Part parts[] = {
        {splice.first_document, 0, place_of(splice.cut, first_length)},
        {splice.second_document, place_of(splice.cut, second_length), second_length}};
    std::vector<std::int32_t> words;
    std::vector<std::int32_t> sentences;
    for (const Part& part : parts) {
      append_words(from, part, words);
      append_sentences(from, part, sentences);
    }
    to.append("", words, {}, sentences);
  }
}

}  // namespace hmtc
