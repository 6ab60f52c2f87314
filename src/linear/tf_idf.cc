#include "linear/tf_idf.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/parallel.h"

namespace hmtc {
namespace {

constexpr std::size_t kDocumentsPerPiece = 256;

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

float idf_of(std::size_t df, std::size_t num_documents) {
  const auto n = static_cast<double>(num_documents);
  return static_cast<float>(std::log((1 + n) / (1 + static_cast<double>(df))) + 1);
}

void append(const SparseMatrix& rows, SparseMatrix& matrix) {
  const std::size_t begin = matrix.columns.size();
  for (std::size_t i = 1; i < rows.offsets.size(); ++i) {
    matrix.offsets.push_back(begin + rows.offsets[i]);
  }
  matrix.columns.insert(matrix.columns.end(), rows.columns.begin(), rows.columns.end());
  matrix.values.insert(matrix.values.end(), rows.values.begin(), rows.values.end());
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
  std::vector<float> idf;
  for (const std::size_t df : document_frequency) idf.push_back(idf_of(df, documents.num_rows()));
  std::vector<WordPair> pairs;
  for (const PairCount& found : frequent_pairs(documents, kFirstWord, options.max_pairs)) {
    pairs.push_back(found.pair);
    idf.push_back(kPairWeight * idf_of(found.documents, documents.num_rows()));
  }
  return {std::move(idf), options, std::move(pairs)};
}

TfIdf::TfIdf(std::vector<float> idf, TfIdfOptions options, std::vector<WordPair> pairs)
    : idf_(std::move(idf)), options_(options), pairs_(std::move(pairs)) {
  const auto is_word = [&](std::int32_t word) {
    return word >= kFirstWord && static_cast<std::size_t>(word) < vocabulary_size();
  };
  bool fits = idf_.size() >= pairs_.size();
  for (const WordPair& pair : pairs_) {
    fits = fits && is_word(pair.first) && is_word(pair.second);
    if (fits) pair_columns_.add(pair);
  }
  if (!fits || pair_columns_.size() != pairs_.size()) {
    throw Error(ErrorKind::kInternal, "TF-IDF: pairs that are not all different pairs of words");
  }
}

void TfIdf::append_row(std::span<const std::int32_t> document, std::vector<std::int32_t>& terms,
                       SparseMatrix& matrix) const {
  const bool binary = options_.term_frequency == TfIdfOptions::TermFrequency::kBinary;
  collect_words(document, vocabulary_size(), terms);
  if (!pairs_.empty()) {
    const auto num_words = static_cast<std::ptrdiff_t>(terms.size());
    visit_neighbours(document, kFirstWord, [&](WordPair pair) {
      const std::int32_t number = pair_columns_.find(pair);
      if (number == PairTable::kNone) return;
      terms.push_back(static_cast<std::int32_t>(vocabulary_size()) + number);
    });
    std::sort(terms.begin() + num_words, terms.end());
  }
  for (auto term = terms.begin(); term != terms.end();) {
    const auto next =
        std::find_if(term, terms.end(), [&](std::int32_t other) { return other != *term; });
    const double tf = binary ? 1.0 : 1.0 + std::log(static_cast<double>(next - term));
    matrix.columns.push_back(*term);
    matrix.values.push_back(static_cast<float>(tf * idf_[static_cast<std::size_t>(*term)]));
    term = next;
  }
  normalise(std::span(matrix.values).subspan(matrix.offsets.back()));
  matrix.offsets.push_back(matrix.columns.size());
}

SparseMatrix TfIdf::transform(const IdRows& documents, int threads) const {
  const std::size_t num_rows = documents.num_rows();
  std::vector<SparseMatrix> pieces((num_rows + kDocumentsPerPiece - 1) / kDocumentsPerPiece);
  parallel_for(pieces.size(), threads, [&](std::size_t piece) {
    const std::size_t begin = piece * kDocumentsPerPiece;
    const std::size_t end = std::min(begin + kDocumentsPerPiece, num_rows);
    std::vector<std::int32_t> terms;
    for (std::size_t i = begin; i < end; ++i) append_row(documents.row(i), terms, pieces[piece]);
  });
  SparseMatrix matrix;
  matrix.num_columns = idf_.size();
  for (SparseMatrix& piece : pieces) append(std::exchange(piece, {}), matrix);
  return matrix;
}

}  // namespace hmtc
