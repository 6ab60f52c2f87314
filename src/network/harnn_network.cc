// HARNN as it answers, to be read beside section 4 of "Hierarchical Multi-label Text
// Classification: An Attention-based Recurrent Network Approach" (Huang et al. 2019).
//
//   B documents   N words   n words of one document   w word width   a attention width
//   d width of a level's document   L labels of a level   M all labels   H levels
#include "network/harnn_network.h"

#include <algorithm>
#include <string>

#include "base/logistic.h"
#include "base/parallel.h"
#include "kernels/label_rows.h"

namespace hmtc {
namespace {

void scale(std::span<float> values, float factor) {
  for (float& value : values) value *= factor;
}

}  // namespace

HarnnLevelNetwork::HarnnLevelNetwork(const ModelOptions& options, std::size_t word_width,
                                     std::size_t num_labels, bool last, const Weights& weights)
    : last_(last) {
  const auto a = static_cast<std::size_t>(options.attention_width);
  const auto d = static_cast<std::size_t>(options.document_width);
  W_s1_transposed_ = packed_transpose(weights.matrix("W_s1.weight", a, word_width));
  W_s2_ = weights.matrix("W_s2.weight", num_labels, a);
  W_ = Dense(weights.of("W"), 2 * word_width, d);
  local_ = Dense(weights.of("local"), d, num_labels);
}

HarnnLevelNetwork::Output HarnnLevelNetwork::run(const Input& from) const {
  const std::size_t B = from.batch.documents;
  const std::size_t N = from.batch.words;
  Output out;
  std::vector<Matrix> Att(B);  // of each document (L, n)
  out.Att = Matrix::filled(B, N, 0);
  Matrix r = Matrix::filled(B, from.V.columns(), 0);
  parallel_for(B, from.batch.threads, [&](std::size_t b) {
    const SomeRows V{from.V, b * N, from.batch.length(b)};
    Att[b] = attention(V, from.omega.row(b));  // (L, n)
    std::vector<float> weights = mean_of_rows(Att[b]);
    std::copy(weights.begin(), weights.end(), out.Att.row(b).begin());
    // The mean over the labels of Att X is the mean of Att times X, which is omega V.
    for (std::size_t n = 0; n < V.count; ++n) weights[n] *= from.omega.row(b)[n];
    weighted_sum(weights, V, r.row(b));
  });
  out.A = W_(side_by_side(from.mean, r), from.batch.threads);  // (B, d)
  out.A.apply([](float x) { return std::max(x, 0.0F); });
  out.local_logits = local_(out.A, from.batch.threads);  // (B, L)
  if (!last_) out.omega = next_omega(std::move(Att), out.local_logits, from.batch);
  return out;
}

/// Att of one document: softmax over the words of W_s2 tanh(W_s1 X^T), where W_s1 X^T is W_s1 V^T
/// with each word's column times its omega.
Matrix HarnnLevelNetwork::attention(const SomeRows& V, std::span<const float> omega) const {
  const std::size_t a = W_s2_.columns();
  const std::vector<float> no_bias(a, 0.0F);
  Matrix O = product(V, W_s1_transposed_, a);                           // (n, a)
  for (std::size_t n = 0; n < V.count; ++n) scale(O.row(n), omega[n]);  // (n, a)
  tanh_rows(O.data(), V.count, a, no_bias.data());                      // (n, a)
  Matrix Att = product(W_s2_, packed_transpose(O), V.count);            // (L, n)
  softmax_rows(Att.data(), V.count, Att.rows(), V.count);               // (L, n)
  return Att;
}

/// The mean over the labels of the softmax over the words of P Att, zero at padding: (B, N).
Matrix HarnnLevelNetwork::next_omega(std::vector<Matrix> Att, const Matrix& local_logits,
                                     const DocumentBatch& batch) const {
  Matrix omega = Matrix::filled(batch.documents, batch.words, 0);
  parallel_for(batch.documents, batch.threads, [&](std::size_t b) {
    Matrix& of_labels = Att[b];  // (L, n)
    for (std::size_t j = 0; j < of_labels.rows(); ++j) {
      scale(of_labels.row(j), sigmoid(local_logits.row(b)[j]));
    }
    softmax_rows(of_labels.data(), of_labels.columns(), of_labels.rows(), of_labels.columns());
    const std::vector<float> mean = mean_of_rows(of_labels);  // (n)
    std::copy(mean.begin(), mean.end(), omega.row(b).begin());
  });
  return omega;
}

HarnnNetwork::HarnnNetwork(const ModelOptions& options, WordEncoder encoder,
                           const Hierarchy& hierarchy, const Weights& weights)
    : local_weight_(options.local_weight),
      encoder_(std::move(encoder)),
      global_(options, GlobalLayers::Highway::kOne,
              hierarchy.num_levels() * static_cast<std::size_t>(options.document_width),
              hierarchy.num_labels(), weights.of("global")) {
  const std::size_t H = hierarchy.num_levels();
  for (std::size_t h = 0; h < H; ++h) {
    levels_.emplace_back(options, encoder_.width(), hierarchy.level_size(h), /*last=*/h + 1 == H,
                         weights.of("level_" + std::to_string(h + 1)));
    level_of_.insert(level_of_.end(), hierarchy.level_size(h), h);
  }
}

std::vector<HarnnLevelNetwork::Output> HarnnNetwork::run_levels(const DocumentBatch& batch) const {
  const Matrix V = encoder_(batch);                                     // (B N, w)
  const Matrix mean = mean_over_words(V, batch);                        // (B, w)
  const Matrix ones = Matrix::filled(batch.documents, batch.words, 1);  // (B, N)
  std::vector<HarnnLevelNetwork::Output> outputs;
  for (const HarnnLevelNetwork& level : levels_) {
    const Matrix& omega = outputs.empty() ? ones : outputs.back().omega;  // (B, N)
    outputs.push_back(level.run({V, mean, omega, batch}));
  }
  return outputs;
}

NetworkScores HarnnNetwork::scores(const DocumentBatch& batch) const {
  std::vector<Matrix> A, P;
  for (HarnnLevelNetwork::Output& level : run_levels(batch)) {
    A.push_back(std::move(level.A));
    P.push_back(std::move(level.local_logits));
  }
  return scores_of({side_by_side(P), global_(side_by_side(A), batch.threads)},  // (B, M)
                   local_weight_);
}

WordAttention HarnnNetwork::attention(const DocumentBatch& one,
                                      std::span<const LabelId> labels) const {
  const std::vector<HarnnLevelNetwork::Output> levels = run_levels(one);
  WordAttention result;
  result.A = Matrix(labels.size(), one.words);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto Att = levels[level_of_[static_cast<std::size_t>(labels[i])]].Att.row(0);
    std::copy(Att.begin(), Att.end(), result.A.row(i).begin());
  }
  return result;
}

}  // namespace hmtc
