#include "linear/tf_idf.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"

namespace hmtc {
namespace {

/// The words of a document that carry a feature, sorted, so that repeats stand side by side.
void collect_words(std::span<const std::int32_t> document, std::size_t vocabulary_size,
                   std::vector<std::int32_t>& words) {
  words.clear();
  for (const std::int32_t word : document) {
    if (word < 0 || static_cast<std::size_t>(word) >= vocabulary_size) {
      throw Error(ErrorKind::kInternal, fmt::format("TF-IDF: expected a word id below {}, found {}",
                                                    vocabulary_size, word));
    }
    if (word >= TfIdf::kFirstWord) words.push_back(word);
  }
  std::sort(words.begin(), words.end());
}

void normalise(std::span<float> row) {
  double squares = 0;
  for (const float value : row) squares += static_cast<double>(value) * value;
  const double norm = std::sqrt(squares);
  if (norm == 0) return;
  for (float& value : row) value = static_cast<float>(value / norm);
}

}  // namespace

TfIdf TfIdf::fit(const IdRows& documents, std::size_t vocabulary_size, TfIdfOptions options) {
  std::vector<std::size_t> document_frequency(vocabulary_size, 0);
  std::vector<std::int32_t> words;
  for (std::size_t i = 0; i < documents.num_rows(); ++i) {
    collect_words(documents.row(i), vocabulary_size, words);
    words.erase(std::unique(words.begin(), words.end()), words.end());
    for (const std::int32_t word : words) ++document_frequency[static_cast<std::size_t>(word)];
  }
  const double n = static_cast<double>(documents.num_rows());
  std::vector<float> idf(vocabulary_size);
  for (std::size_t word = 0; word < vocabulary_size; ++word) {
    const double df = static_cast<double>(document_frequency[word]);
    idf[word] = static_cast<float>(std::log((1 + n) / (1 + df)) + 1);
  }
  return {std::move(idf), options};
}

TfIdf::TfIdf(std::vector<float> idf, TfIdfOptions options)
    : idf_(std::move(idf)), options_(options) {}

SparseMatrix TfIdf::transform(const IdRows& documents) const {
  const bool binary = options_.term_frequency == TfIdfOptions::TermFrequency::kBinary;
  SparseMatrix matrix;
  matrix.num_columns = idf_.size();
  matrix.offsets.reserve(documents.num_rows() + 1);
  std::vector<std::int32_t> words;
  for (std::size_t i = 0; i < documents.num_rows(); ++i) {
    collect_words(documents.row(i), idf_.size(), words);
    for (auto word = words.begin(); word != words.end();) {
      const auto next = std::upper_bound(word, words.end(), *word);
      const double tf = binary ? 1.0 : 1.0 + std::log(static_cast<double>(next - word));
      matrix.columns.push_back(*word);
      matrix.values.push_back(static_cast<float>(tf * idf_[static_cast<std::size_t>(*word)]));
      word = next;
    }
    normalise(std::span(matrix.values).subspan(matrix.offsets.back()));
    matrix.offsets.push_back(matrix.columns.size());
  }
  return matrix;
}

}  // namespace hmtc
