#include "explain/network_words.h"

namespace hmtc {
namespace {

WordBatch batch_of_one(const Corpus& corpus, std::size_t document) {
  const std::size_t documents[] = {document};
  return make_word_batch(corpus, documents);
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

}  // namespace

WordWeights attention_words(const Networks& networks, const Corpus& corpus, std::size_t document,
                            std::span<const LabelId> labels) {
  const torch::InferenceMode inference;
  const WordBatch batch = batch_of_one(corpus, document);
  const std::size_t num_words = corpus.words_of(document).size();
  WordWeights weights(labels.size());
  for (const auto& network : networks) {
    network->eval();
    const torch::Tensor A = network->attention(batch).A;  // (1, M, N)
    if (!A.defined()) return {};
    for (std::size_t i = 0; i < labels.size(); ++i) add(weights[i], A[0][labels[i]], num_words);
  }
  divide(weights, networks.size());
  return weights;
}

WordWeights gradient_words(const Networks& networks, const Corpus& corpus, std::size_t document,
                           std::span<const LabelId> labels) {
  const torch::AutoGradMode with_gradients(true);
  WordBatch batch = batch_of_one(corpus, document);
  const std::size_t num_words = corpus.words_of(document).size();
  constexpr double kAwayFromCertainty = 1e-6;  // where a float's logit would be infinite
  WordWeights weights(labels.size());
  for (const auto& network : networks) {
    network->eval();
    batch.vectors = network->encoder()
                        ->embedding()
                        .detach()
                        .index_select(0, batch.ids.flatten())
                        .view({1, batch.ids.size(1), -1})
                        .requires_grad_();  // (1, N, e)
    const auto logits = torch::logit(network->scores(batch).combined, kAwayFromCertainty);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const torch::Tensor gradient =
          torch::autograd::grad({logits[0][labels[i]]}, {batch.vectors}, {}, /*retain_graph=*/true)
              .front();
      add(weights[i], (gradient * batch.vectors).detach().sum(-1)[0], num_words);
    }
  }
  divide(weights, networks.size());
  return weights;
}

std::vector<LevelComponents> document_components(const Networks& networks, const Corpus& corpus,
                                                 std::size_t document) {
  const torch::InferenceMode inference;
  const auto num_words = static_cast<std::int64_t>(corpus.words_of(document).size());
  Model& network = *networks.front();
  network.eval();
  std::vector<LevelComponents> levels;
  for (const ComponentRelevance& level :
       network.attention(batch_of_one(corpus, document)).components) {
    levels.push_back({static_cast<std::size_t>(level.R_tilde.size(1)),
                      values_of(level.S[0].narrow(0, 0, num_words)), values_of(level.R_tilde)});
  }
  return levels;
}

}  // namespace hmtc
