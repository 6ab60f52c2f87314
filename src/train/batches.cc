#include "train/batches.h"

#include <algorithm>
#include <numeric>

#include "base/random.h"

namespace hmtc {
namespace {

/// Batches are cut from pools sorted by length. A large pool saves padding, several pools keep an
/// epoch's batches from being the same ones every time.
constexpr std::size_t kLargestPool = 50;
constexpr std::size_t kFewestPools = 4;

}  // namespace

std::vector<std::vector<std::size_t>> plan_epoch(const Corpus& corpus, std::size_t batch_size,
                                                 std::uint64_t seed, std::int64_t epoch) {
  Random random(mix_seed(seed, static_cast<std::uint64_t>(epoch)));
  std::vector<std::size_t> order(corpus.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  random.shuffle(order);

  const std::size_t num_batches = (order.size() + batch_size - 1) / batch_size;
  const std::size_t pool =
      batch_size * std::clamp<std::size_t>(num_batches / kFewestPools, 1, kLargestPool);
  std::vector<std::vector<std::size_t>> batches;
  for (std::size_t begin = 0; begin < order.size(); begin += pool) {
    const std::size_t end = std::min(begin + pool, order.size());
    const auto first = order.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = order.begin() + static_cast<std::ptrdiff_t>(end);
    std::stable_sort(first, last, [&](std::size_t a, std::size_t b) {
      return corpus.words_of(a).size() < corpus.words_of(b).size();
    });
    for (std::size_t i = begin; i < end; i += batch_size) {
      const auto from = order.begin() + static_cast<std::ptrdiff_t>(i);
      const auto to = order.begin() + static_cast<std::ptrdiff_t>(std::min(i + batch_size, end));
      batches.emplace_back(from, to);
    }
  }
  random.shuffle(batches);
  return batches;
}

torch::Tensor label_targets(const Corpus& corpus, std::span<const std::size_t> documents,
                            std::size_t num_labels) {
  torch::Tensor targets = torch::zeros(
      {static_cast<std::int64_t>(documents.size()), static_cast<std::int64_t>(num_labels)});
  for (std::size_t i = 0; i < documents.size(); ++i) {
    for (const LabelId label : corpus.labels_of(documents[i])) {
      targets.data_ptr<float>()[i * num_labels + static_cast<std::size_t>(label)] = 1;
    }
  }
  return targets;
}

}  // namespace hmtc
