#include "import/split_assignment.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/random.h"

namespace hmtc {

std::vector<SplitOfRow> assign_pooled(const std::vector<std::size_t>& counts,
                                      const std::array<double, 3>& percentages,
                                      std::uint64_t seed) {
  const std::size_t total = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  const auto share = [&](double percentage) {
    return static_cast<std::size_t>(std::lround(static_cast<double>(total) * percentage / 100));
  };
  const std::size_t num_val = share(percentages[1]);
  const std::size_t num_test = share(percentages[2]);
  if (num_val + num_test >= total) {
    throw input_error(
        {"the inputs together"},
        {"enough documents that some are left for train",
         fmt::format("{} documents, of which val takes {} and test {}", total, num_val, num_test),
         "add documents or give train a larger share"});
  }
  const std::size_t num_train = total - num_val - num_test;

  std::vector<std::size_t> order(total);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random(seed).shuffle(order);
  SplitOfRow pool(total, Split::kTrain);
  for (std::size_t i = num_train; i < total; ++i) {
    pool[order[i]] = i < num_train + num_val ? Split::kVal : Split::kTest;
  }

  std::vector<SplitOfRow> splits;
  auto begin = pool.cbegin();
  for (const std::size_t count : counts) {
    const auto end = begin + static_cast<std::ptrdiff_t>(count);
    splits.emplace_back(begin, end);
    begin = end;
  }
  return splits;
}

std::vector<SplitOfRow> assign_by_input(const std::vector<std::size_t>& counts,
                                        std::uint64_t seed) {
  if (counts.size() == 3) {
    return {SplitOfRow(counts[0], Split::kTrain), SplitOfRow(counts[1], Split::kVal),
            SplitOfRow(counts[2], Split::kTest)};
  }
  std::vector<SplitOfRow> splits =
      assign_pooled({counts[0]}, {100 - kValPercentage, kValPercentage, 0}, seed);
  splits.emplace_back(counts[1], Split::kTest);
  return splits;
}

}  // namespace hmtc
