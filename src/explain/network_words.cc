#include "explain/network_words.h"

#include <algorithm>

namespace hmtc {
namespace {

WordBatch batch_of_one(const Corpus& corpus, std::size_t document) {
  const std::size_t documents[] = {document};
  return make_word_batch(corpus, documents);
}

/// gradient_words() of one network for a few labels: each has a copy of the document, so that one
/// backward pass serves them all.
torch::Tensor gradient_times_vector(Model& network, const Corpus& corpus, std::size_t document,
                                    std::span<const LabelId> labels) {
  const torch::AutoGradMode with_gradients(true);
  const std::vector<std::size_t> copies(labels.size(), document);
  WordBatch batch = make_word_batch(corpus, copies);
  batch.vectors = network.encoder()
                      ->embedding()
                      .detach()
                      .index_select(0, batch.ids.flatten())
                      .view({batch.ids.size(0), batch.ids.size(1), -1})
                      .requires_grad_();       // (labels, N, e)
  constexpr double kAwayFromCertainty = 1e-6;  // where a float's logit would be infinite
  const auto logits = torch::logit(network.scores(batch).combined, kAwayFromCertainty);
  const auto own = torch::tensor(std::vector<std::int64_t>(labels.begin(), labels.end()));
  const auto sum = logits.gather(1, own.unsqueeze(1)).sum();
  const auto gradient = torch::autograd::grad({sum}, {batch.vectors}).front();
  return (gradient * batch.vectors).detach().sum(-1);  // (labels, N)
}

void add(std::vector<float>& sums, const torch::Tensor& values, std::size_t count) {
  const torch::Tensor row = values.contiguous();
  sums.resize(count, 0.0F);
  for (std::size_t i = 0; i < count; ++i) sums[i] += row.data_ptr<float>()[i];
}

void divide(WordWeights& sums, std::size_t count) {
  for (auto& row : sums) {
    for (float& weight : row) weight /= static_cast<float>(count);
  }
}

std::vector<float> values_of(const torch::Tensor& tensor) {
  const torch::Tensor flat = tensor.contiguous();
  return {flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel()};
}

std::vector<LevelComponents> components_of(const WordAttention& attention, std::size_t num_words) {
  std::vector<LevelComponents> levels;
  for (const ComponentRelevance& level : attention.components) {
    const auto S = level.S[0].narrow(0, 0, static_cast<std::int64_t>(num_words));
    levels.push_back(
        {static_cast<std::size_t>(level.R_tilde.size(1)), values_of(S), values_of(level.R_tilde)});
  }
  return levels;
}

}  // namespace

AttentionWords attention_words(const Networks& networks, const Corpus& corpus, std::size_t document,
                               std::span<const LabelId> labels) {
  const torch::InferenceMode inference;
  const WordBatch batch = batch_of_one(corpus, document);
  const std::size_t num_words = corpus.words_of(document).size();
  AttentionWords words;
  const auto add_rows = [&](const torch::Tensor& of_labels, WordWeights& sums) {
    if (!of_labels.defined()) return;  // (1, M, N)
    sums.resize(labels.size());
    for (std::size_t i = 0; i < labels.size(); ++i) {
      add(sums[i], of_labels[0][labels[i]], num_words);
    }
  };
  for (const auto& network : networks) {
    const WordAttention attention = network->attention(batch);
    add_rows(attention.A, words.attention);
    add_rows(attention.evidence, words.evidence);
    if (network == networks.front()) words.components = components_of(attention, num_words);
  }
  divide(words.attention, networks.size());
  divide(words.evidence, networks.size());
  return words;
}

WordWeights gradient_words(const Networks& networks, const Corpus& corpus, std::size_t document,
                           std::span<const LabelId> labels) {
  constexpr std::size_t kLabelsAtOnce = 16;
  const std::size_t num_words = corpus.words_of(document).size();
  WordWeights weights(labels.size());
  for (const auto& network : networks) {
    for (std::size_t begin = 0; begin < labels.size(); begin += kLabelsAtOnce) {
      const auto some = labels.subspan(begin, std::min(kLabelsAtOnce, labels.size() - begin));
      const torch::Tensor rows = gradient_times_vector(*network, corpus, document, some);
      for (std::size_t i = 0; i < some.size(); ++i) {
        add(weights[begin + i], rows[static_cast<std::int64_t>(i)], num_words);
      }
    }
  }
  divide(weights, networks.size());
  return weights;
}

}  // namespace hmtc
