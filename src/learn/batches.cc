#include "learn/batches.h"

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

std::vector<std::span<const std::size_t>> shares_of_words(const Corpus& corpus,
                                                          std::span<const std::size_t> documents,
                                                          std::size_t num_shares) {
  const auto cost = [&](std::size_t i) { return corpus.words_of(documents[i]).size() + 1; };
  std::size_t total = 0;
  for (std::size_t i = 0; i < documents.size(); ++i) total += cost(i);
  std::vector<std::span<const std::size_t>> shares;
  std::size_t begin = 0;
  std::size_t spent = 0;
  for (std::size_t share = 0; share < num_shares; ++share) {
    const std::size_t left_for_others = num_shares - share - 1;
    const std::size_t aim = total * (share + 1) / num_shares;
    std::size_t end = begin;
    do {
      spent += cost(end++);
    } while (end + left_for_others < documents.size() &&
             (left_for_others == 0 || spent + cost(end) / 2 < aim));
    shares.push_back(documents.subspan(begin, end - begin));
    begin = end;
  }
  return shares;
}

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
    const auto documents = std::span(order).subspan(begin, std::min(pool, order.size() - begin));
    std::stable_sort(documents.begin(), documents.end(), [&](std::size_t a, std::size_t b) {
      return corpus.words_of(a).size() < corpus.words_of(b).size();
    });
    for (std::size_t i = 0; i < documents.size(); i += batch_size) {
      const auto batch = documents.subspan(i, std::min(batch_size, documents.size() - i));
      batches.emplace_back(batch.begin(), batch.end());
    }
  }
  random.shuffle(batches);
  return batches;
}

torch::Tensor targets_of(const Corpus& corpus, std::span<const std::size_t> documents,
                         const Targets& targets) {
  const std::size_t num_labels = targets.num_labels;
  torch::Tensor values = torch::zeros(
      {static_cast<std::int64_t>(documents.size()), static_cast<std::int64_t>(num_labels)});
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const std::span row(values.data_ptr<float>() + i * num_labels, num_labels);
    for (const LabelId label : corpus.labels_of(documents[i])) {
      row[static_cast<std::size_t>(label)] = 1;
    }
    if (targets.teacher.empty()) continue;
    const auto taught = targets.teacher.subspan(documents[i] * num_labels, num_labels);
    const bool is_labelled = documents[i] < targets.num_labelled;
    const auto weight = is_labelled ? static_cast<float>(targets.teacher_weight) : 1.0F;
    for (std::size_t label = 0; label < num_labels; ++label) {
      row[label] += weight * (taught[label] - row[label]);
    }
  }
  return values;
}

}  // namespace hmtc
