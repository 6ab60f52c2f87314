#include "model/label_vectors.h"

namespace hmtc {
namespace {

constexpr std::uint64_t kProjectionSeed = 20200923;
constexpr double kHalf = 0.70710678118654752;  // its square is a half: of the variance

/// Rows scaled to the deviation of `like`; a row of zeros stays one.
torch::Tensor with_scale_of(const torch::Tensor& rows, const torch::Tensor& like) {
  const auto size = rows.square().mean(1, /*keepdim=*/true).sqrt();  // (L, 1)
  const auto scaled = rows * (like.square().mean().sqrt() / size);
  return torch::where(size > 0, scaled, torch::zeros_like(rows));
}

/// The mean word vector of each name (n, e), less the mean over the names.
torch::Tensor vectors_of_names(const torch::Tensor& embedding,
                               const std::vector<std::vector<std::int32_t>>& names) {
  std::vector<torch::Tensor> means;
  for (const auto& words : names) {
    const auto ids = torch::tensor(std::vector<std::int64_t>(words.begin(), words.end()));
    means.push_back(embedding.index_select(0, ids).mean(0));
  }
  const auto all = torch::stack(means);
  return all - all.mean(0, /*keepdim=*/true);
}

}  // namespace

LabelVectors shared_labels(const LabelVectors& own, const LabelGraph& graph) {
  LabelVectors shared;
  for (std::size_t h = 0; h < own.size(); ++h) {
    shared.push_back(h == 0 ? own[h] : own[h] + graph.mean_of_parents(torch::cat(shared), h));
  }
  return shared;
}

LabelVectors own_labels(const LabelVectors& shared, const LabelGraph& graph) {
  LabelVectors own, above;
  for (std::size_t h = 0; h < shared.size(); ++h) {
    own.push_back(h == 0 ? shared[h] : shared[h] - graph.mean_of_parents(torch::cat(above), h));
    above.push_back(shared[h]);
  }
  return own;
}

LabelVectors related_labels(const LabelVectors& drawn, const LabelGraph& graph) {
  LabelVectors related;
  for (std::size_t h = 0; h < drawn.size(); ++h) {
    if (h == 0) {
      related.push_back(drawn[h]);
      continue;
    }
    const auto parents = with_scale_of(graph.mean_of_parents(torch::cat(related), h), drawn[h]);
    related.push_back(kHalf * drawn[h] + kHalf * parents);
  }
  return related;
}

LabelVectors named_labels(const LabelVectors& drawn, const torch::Tensor& embedding,
                          const std::vector<std::vector<std::int32_t>>& names) {
  std::vector<std::int64_t> named;
  std::vector<std::vector<std::int32_t>> words;
  for (std::size_t label = 0; label < names.size(); ++label) {
    if (names[label].empty()) continue;
    named.push_back(static_cast<std::int64_t>(label));
    words.push_back(names[label]);
  }
  if (named.empty()) return drawn;
  const auto rows = torch::tensor(named);
  const auto generator = at::make_generator<at::CPUGeneratorImpl>(kProjectionSeed);
  const auto projection = torch::randn({embedding.size(1), drawn.front().size(1)}, generator);
  const auto all = torch::cat(drawn);             // (M, d)
  const auto before = all.index_select(0, rows);  // (n, d)
  const auto of_names =
      with_scale_of(torch::matmul(vectors_of_names(embedding, words), projection), all);
  // A name that says no more than all others together leaves the label as it was.
  const auto says_something = of_names.abs().sum(1, /*keepdim=*/true) > 0;
  const auto mixed = torch::where(says_something, kHalf * before + kHalf * of_names, before);
  std::vector<std::int64_t> sizes;
  for (const torch::Tensor& level : drawn) sizes.push_back(level.size(0));
  return all.index_copy(0, rows, mixed).split_with_sizes(sizes);
}

}  // namespace hmtc
