#include "explain/network_words.h"

#include "network/document_batch.h"

namespace hmtc {
namespace {

void add_rows(const Matrix& of_labels, WordWeights& sums) {
  if (of_labels.rows() == 0) return;
  sums.resize(of_labels.rows());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    sums[i].resize(of_labels.columns(), 0.0F);
    add_scaled(of_labels.row(i), 1, sums[i]);
  }
}

void divide(WordWeights& sums, std::size_t count) {
  for (auto& row : sums) {
    for (float& weight : row) weight /= static_cast<float>(count);
  }
}

std::vector<float> values_of(const Matrix& matrix) {
  return {matrix.values().begin(), matrix.values().end()};
}

std::vector<LevelComponents> components_of(const WordAttention& attention) {
  std::vector<LevelComponents> levels;
  for (const ComponentRelevance& level : attention.components) {
    levels.push_back({level.R_tilde.columns(), values_of(level.S), values_of(level.R_tilde)});
  }
  return levels;
}

}  // namespace

AttentionWords attention_words(Networks networks, const Corpus& corpus, std::size_t document,
                               std::span<const LabelId> labels) {
  AttentionWords words;
  if (corpus.words_of(document).empty()) {
    if (networks.front()->has_attention()) words.attention.resize(labels.size());
    if (networks.front()->has_evidence()) words.evidence.resize(labels.size());
    return words;
  }
  const std::size_t documents[] = {document};
  const DocumentBatch batch = make_document_batch(corpus, documents);
  for (const auto& network : networks) {
    const WordAttention attention = network->attention(batch, labels);
    add_rows(attention.A, words.attention);
    add_rows(attention.evidence, words.evidence);
    if (network == networks.front()) words.components = components_of(attention);
  }
  divide(words.attention, networks.size());
  divide(words.evidence, networks.size());
  return words;
}

}  // namespace hmtc
