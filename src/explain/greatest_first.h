#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <ranges>
#include <vector>

namespace hmtc {

/// The numbers of the greatest values, the greatest first and of equal ones the earlier; at most
/// `most` of them.
template <std::ranges::random_access_range Values>
std::vector<std::size_t> greatest_first(
    const Values& values, std::size_t most = std::numeric_limits<std::size_t>::max()) {
  std::vector<std::size_t> order(std::ranges::size(values));
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] > values[b]; });
  order.resize(std::min(order.size(), most));
  return order;
}

}  // namespace hmtc
