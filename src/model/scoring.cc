#include "model/scoring.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace hmtc {
namespace {

/// Words per batch, padding included: large enough for the products, small enough for the cache.
constexpr std::size_t kWordsPerBatch = 4096;

void scatter_rows(const torch::Tensor& from, std::span<const std::size_t> documents,
                  std::vector<float>& to) {
  const torch::Tensor rows = from.contiguous();
  const auto width = static_cast<std::size_t>(rows.size(1));
  for (std::size_t i = 0; i < documents.size(); ++i) {
    std::memcpy(to.data() + documents[i] * width, rows.data_ptr<float>() + i * width,
                width * sizeof(float));
  }
}

}  // namespace

ScoreSet score_corpus(Model& model, const Corpus& corpus, std::size_t num_labels) {
  const torch::InferenceMode inference;
  model.eval();
  ScoreSet set{corpus.size(), num_labels, {}, {}, {}};
  for (auto* scores : {&set.combined, &set.local, &set.global}) {
    scores->resize(corpus.size() * num_labels);
  }

  std::vector<std::size_t> order(corpus.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return corpus.words_of(a).size() > corpus.words_of(b).size();
  });
  for (std::size_t begin = 0; begin < order.size();) {
    const std::size_t longest = std::max<std::size_t>(corpus.words_of(order[begin]).size(), 1);
    const std::size_t count =
        std::min(std::max<std::size_t>(kWordsPerBatch / longest, 1), order.size() - begin);
    const auto documents = std::span(order).subspan(begin, count);
    const ModelOutput output = model.forward(make_word_batch(corpus, documents));
    const ModelScores scores = model.scores(output);
    scatter_rows(scores.combined, documents, set.combined);
    scatter_rows(scores.local, documents, set.local);
    scatter_rows(scores.global, documents, set.global);
    begin += count;
  }
  return set;
}

}  // namespace hmtc
