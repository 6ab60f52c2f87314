#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace hmtc {

enum class Split : std::uint8_t { kTrain, kVal, kTest };

/// Which split every document of one input goes to: a byte per document.
using SplitOfRow = std::vector<Split>;

/// Divides `counts[i]` documents of each input i, all of them as one pool, by percentages: val and
/// test get their shares rounded to the nearest, train the rest. The rows are permuted by the seed;
/// the first of the permutation are train, then val, then test.
/// Throws kInput when nothing would be left for train.
std::vector<SplitOfRow> assign_pooled(const std::vector<std::size_t>& counts,
                                      const std::array<double, 3>& percentages, std::uint64_t seed);

/// Two inputs are train and test, three are train, val and test. With two, kValPercentage of the
/// train rows, drawn by the seed, become val. `counts` holds two or three.
std::vector<SplitOfRow> assign_by_input(const std::vector<std::size_t>& counts, std::uint64_t seed);

/// How much of train a missing validation split takes.
inline constexpr double kValPercentage = 15;

}  // namespace hmtc
