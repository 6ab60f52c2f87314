#include "metrics/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "base/error.h"

namespace hmtc {
namespace {

/// The highest scores of all bins of equal mass but the last.
using Edges = std::array<float, kNumReliabilityBins - 1>;

/// A score as a whole number of the same order: the bits of a float that is not negative.
std::uint32_t bits_of(float score) {
  return std::bit_cast<std::uint32_t>(std::clamp(score, 0.0F, 1.0F) + 0.0F);  // -0 becomes 0
}

constexpr std::uint32_t kLowBits = 16;
constexpr std::size_t kNumHigh = (std::bit_cast<std::uint32_t>(1.0F) >> kLowBits) + 1;
constexpr std::size_t kNumLow = std::size_t{1} << kLowBits;

/// Finds the scores of given ranks among many by counting: first by the upper half of a score's
/// bits, then, within the upper halves that hold a wanted rank, by the lower half.
class EdgeFinder {
 public:
  void count_high(float score) { ++high_[bits_of(score) >> kLowBits]; }

  /// Between the two rounds of counting.
  void choose_ranks() {
    std::size_t total = 0;
    for (const std::size_t count : high_) total += count;
    std::size_t high = 0;
    std::size_t below = 0;  // pairs with smaller upper halves
    for (std::size_t i = 0; i < wanted_.size() && total > 0; ++i) {
      const std::size_t rank =
          ((i + 1) * total + kNumReliabilityBins - 1) / kNumReliabilityBins;  // from 1
      while (below + high_[high] < rank) below += high_[high++];
      if (low_of_[high] == kNone) {
        low_of_[high] = static_cast<std::int32_t>(low_.size());
        low_.emplace_back(kNumLow);
      }
      wanted_[i] = {high, rank - below};
    }
  }

  void count_low(float score) {
    const std::uint32_t bits = bits_of(score);
    const std::int32_t low = low_of_[bits >> kLowBits];
    if (low != kNone) ++low_[static_cast<std::size_t>(low)][bits % kNumLow];
  }

  Edges edges() const {
    Edges edges{};
    for (std::size_t i = 0; i < edges.size() && !low_.empty(); ++i) {
      const auto [high, rank] = wanted_[i];
      const std::vector<std::size_t>& counts = low_[static_cast<std::size_t>(low_of_[high])];
      std::size_t low = 0;
      for (std::size_t up_to = counts[0]; up_to < rank; up_to += counts[low]) ++low;
      edges[i] = std::bit_cast<float>(static_cast<std::uint32_t>(high << kLowBits | low));
    }
    return edges;
  }

 private:
  struct Wanted {
    std::size_t high = 0;
    std::size_t rank = 0;  // within that upper half, from 1
  };
  static constexpr std::int32_t kNone = -1;

  std::vector<std::size_t> high_ = std::vector<std::size_t>(kNumHigh);
  std::array<Wanted, kNumReliabilityBins - 1> wanted_;
  std::vector<std::int32_t> low_of_ = std::vector<std::int32_t>(kNumHigh, kNone);
  std::vector<std::vector<std::size_t>> low_;
};

std::vector<Edges> equal_mass_edges(const ScoreMatrix& scores, const LabelGroups& groups) {
  std::vector<EdgeFinder> finders(groups.num_groups);
  const auto for_each_pair = [&](void (EdgeFinder::*count)(float)) {
    for (std::size_t document = 0; document < scores.num_documents; ++document) {
      const std::span<const float> row = scores.row(document);
      for (std::size_t label = 0; label < row.size(); ++label) {
        (finders[groups.group_of[label]].*count)(row[label]);
      }
    }
  };
  for_each_pair(&EdgeFinder::count_high);
  for (EdgeFinder& finder : finders) finder.choose_ranks();
  for_each_pair(&EdgeFinder::count_low);
  std::vector<Edges> edges;
  for (const EdgeFinder& finder : finders) edges.push_back(finder.edges());
  return edges;
}

/// What one bin has of its pairs.
struct BinSums {
  std::size_t count = 0;
  std::size_t positives = 0;
  double scores = 0;

  void add(double score, bool is_positive) {
    ++count;
    positives += is_positive ? 1 : 0;
    scores += score;
  }
};

struct GroupSums {
  std::array<BinSums, kNumReliabilityBins> equal_width;
  std::array<BinSums, kNumReliabilityBins> equal_mass;
  double squares = 0;

  void add(float score, bool is_positive, const Edges& edges) {
    const double value = std::clamp(score, 0.0F, 1.0F);
    const auto wide = static_cast<std::size_t>(value * kNumReliabilityBins);
    equal_width[std::min(wide, kNumReliabilityBins - 1)].add(value, is_positive);
    const auto edge = std::lower_bound(edges.begin(), edges.end(), static_cast<float>(value));
    equal_mass[static_cast<std::size_t>(edge - edges.begin())].add(value, is_positive);
    const double miss = value - (is_positive ? 1 : 0);
    squares += miss * miss;
  }
};

ReliabilityBin bin_of(const BinSums& sums) {
  if (sums.count == 0) return {};
  const auto count = static_cast<double>(sums.count);
  return {sums.count, sums.scores / count, static_cast<double>(sums.positives) / count};
}

double calibration_error(std::span<const ReliabilityBin> bins) {
  double sum = 0;
  double num_pairs = 0;
  for (const ReliabilityBin& bin : bins) {
    if (bin.count == 0) continue;
    const auto count = static_cast<double>(bin.count);
    sum += count * std::abs(bin.mean_score - bin.positive_share);
    num_pairs += count;
  }
  return num_pairs > 0 ? sum / num_pairs : kUndefined;
}

Calibration calibration_of(const GroupSums& sums) {
  Calibration result;
  std::size_t num_pairs = 0;
  for (const BinSums& bin : sums.equal_width) {
    result.bins.push_back(bin_of(bin));
    num_pairs += bin.count;
  }
  for (const BinSums& bin : sums.equal_mass) {
    if (bin.count > 0) result.equal_mass_bins.push_back(bin_of(bin));
  }
  if (num_pairs == 0) return result;
  result.error = calibration_error(result.bins);
  result.likely_error = likely_calibration_error(result.bins);
  result.equal_mass_error = calibration_error(result.equal_mass_bins);
  result.brier = sums.squares / static_cast<double>(num_pairs);
  return result;
}

void check_probabilities(const ScoreMatrix& scores) {
  constexpr float kRounding = 1e-6F;
  for (const float score : scores.scores) {
    if (score >= -kRounding && score <= 1 + kRounding) continue;
    throw Error(ErrorKind::kInternal,
                fmt::format("metrics: expected probabilities, found the score {}", score));
  }
}

}  // namespace

double likely_calibration_error(std::span<const ReliabilityBin> bins) {
  return bins.empty() ? kUndefined : calibration_error(bins.subspan(1));
}

std::vector<Calibration> calibrations(const ScoreMatrix& scores, const LabelSets& truth,
                                      const LabelGroups& groups) {
  check_predictions(scores, truth);
  check_probabilities(scores);
  const std::vector<Edges> edges = equal_mass_edges(scores, groups);
  std::vector<GroupSums> sums(groups.num_groups);
  for (std::size_t document = 0; document < scores.num_documents; ++document) {
    visit_pairs(scores, truth, document, [&](std::size_t label, float score, bool is_positive) {
      const std::size_t group = groups.group_of[label];
      sums[group].add(score, is_positive, edges[group]);
    });
  }
  std::vector<Calibration> results;
  for (const GroupSums& group : sums) results.push_back(calibration_of(group));
  return results;
}

}  // namespace hmtc
