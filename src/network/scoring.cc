#include "network/scoring.h"

#include <algorithm>
#include <numeric>

#include "base/parallel.h"

namespace hmtc {
namespace {

/// Words per batch, padding included: large enough for the products, small enough for the cache.
constexpr std::size_t kMostWordsPerBatch = 4096;
/// So many threads share a batch inside of the model well: the directions of an LSTM are two.
constexpr int kMostThreadsPerBatch = 2;
/// What padding may add to the words of a batch that is shared.
constexpr std::size_t kMostPadding = 4;

void scatter_rows(const Matrix& from, std::span<const std::size_t> documents,
                  std::vector<float>& to) {
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const auto row = from.row(i);
    std::copy(row.begin(), row.end(),
              to.begin() + static_cast<std::ptrdiff_t>(documents[i] * from.columns()));
  }
}

/// Without those that are cut off and kept for a linear model alone.
std::size_t num_words(const Corpus& corpus) {
  std::size_t words = 0;
  for (std::size_t i = 0; i < corpus.size(); ++i) words += corpus.words_of(i).size();
  return words;
}

/// Whether the documents fit into one batch, and few threads have it to do. It costs less than a
/// batch for each thread: the weights are read once for all documents.
bool is_one_batch(const Corpus& corpus, std::size_t words, std::size_t longest, int threads) {
  return threads <= kMostThreadsPerBatch && words <= kMostWordsPerBatch &&
         corpus.size() * longest <= kMostPadding * kMostWordsPerBatch;
}

/// All documents, the longest first, so that little is padded and no thread ends with a long batch.
/// Few documents are one batch that the threads share, or one for each thread.
std::vector<std::vector<std::size_t>> batches_of_like_length(const Corpus& corpus, int threads) {
  const std::size_t words = num_words(corpus);
  const std::size_t words_per_batch =
      std::min(kMostWordsPerBatch, words / static_cast<std::size_t>(threads) + 1);
  std::vector<std::size_t> order(corpus.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return corpus.words_of(a).size() > corpus.words_of(b).size();
  });
  if (order.empty()) return {};
  if (is_one_batch(corpus, words, corpus.words_of(order.front()).size(), threads)) return {order};
  std::vector<std::vector<std::size_t>> batches;
  for (auto begin = order.begin(); begin != order.end();) {
    const std::size_t longest = std::max<std::size_t>(corpus.words_of(*begin).size(), 1);
    const auto left = static_cast<std::size_t>(order.end() - begin);
    const std::size_t count = std::min((words_per_batch + longest - 1) / longest, left);
    const auto end = begin + static_cast<std::ptrdiff_t>(count);
    batches.emplace_back(begin, end);
    begin = end;
  }
  return batches;
}

}  // namespace

ScoreSet score_corpus(const Network& network, const Corpus& corpus, std::size_t num_labels,
                      int threads) {
  ScoreSet set{corpus.size(), num_labels, {}, {}, {}, {}};
  const bool has_parts = network.has_parts();
  set.combined.resize(corpus.size() * num_labels);
  for (auto* scores : {&set.local, &set.global}) {
    scores->resize(has_parts ? corpus.size() * num_labels : 0);
  }
  const std::vector<std::vector<std::size_t>> batches =
      batches_of_like_length(corpus, std::max(threads, 1));
  parallel_for(batches.size(), threads, [&](std::size_t number) {
    const std::vector<std::size_t>& documents = batches[number];
    DocumentBatch batch = make_document_batch(corpus, documents);
    if (batches.size() == 1) batch.threads = threads;
    const NetworkScores scores = network.scores(batch);
    scatter_rows(scores.combined, documents, set.combined);
    if (!has_parts) return;
    scatter_rows(scores.local, documents, set.local);
    scatter_rows(scores.global, documents, set.global);
  });
  return set;
}

}  // namespace hmtc
