#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

#include "metrics/predictions.h"

namespace hmtc {

/// NaN without a value.
double mean(std::span<const double> values);

/// The standard deviation of a sample: divided by n - 1. NaN for fewer than two values.
double sample_deviation(std::span<const double> values);

/// How likely a t at least this far from 0 is, on either side, under Student's distribution.
double two_sided_p(double t, double degrees_of_freedom);

/// The t that is exceeded, on either side, with probability `p` (0 < p < 1): the inverse of
/// two_sided_p().
double two_sided_t(double p, double degrees_of_freedom);

/// A paired t-test: how far the first of two is above the second.
struct PairedComparison {
  std::size_t num_pairs = 0;
  // What follows is undefined for fewer than two pairs.
  double difference = kUndefined;  ///< mean of first - second
  double low = kUndefined;         ///< ends of the 95 % confidence interval of the difference
  double high = kUndefined;
  double p = kUndefined;  ///< two-sided; 1 when all pairs are equal, 0 when all differ by the same
};

using ValuesBySeed = std::map<std::int64_t, double>;

/// Pairs the values of the seeds that both have; a value that is NaN makes no pair.
PairedComparison compare_over_seeds(const ValuesBySeed& first, const ValuesBySeed& second);

}  // namespace hmtc
