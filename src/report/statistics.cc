#include "report/statistics.h"

#include <cmath>
#include <limits>
#include <vector>

namespace hmtc {
namespace {

constexpr double kSignificance = 0.05;

/// The continued fraction of the incomplete beta function by the method of Lentz; it converges
/// fast for x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) {
  constexpr int kMostSteps = 10000;
  constexpr double kSmallest = 1e-300;  // in place of a denominator of 0
  const auto nonzero = [](double value) { return std::abs(value) < kSmallest ? kSmallest : value; };
  double c = 1;
  double d = 1 / nonzero(1 - (a + b) * x / (a + 1));
  double fraction = d;
  for (int m = 1; m <= kMostSteps; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonzero(1 + even * d);
    c = nonzero(1 + even / c);
    fraction *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonzero(1 + odd * d);
    c = nonzero(1 + odd / c);
    fraction *= d * c;
    if (std::abs(d * c - 1) < std::numeric_limits<double>::epsilon()) break;
  }
  return fraction;
}

/// I_x(a, b), the regularised incomplete beta function. The complement 1 - x is asked for as well:
/// near 1, x has lost it.
double incomplete_beta(double a, double b, double x, double complement) {
  if (x <= 0) return 0;
  if (complement <= 0) return 1;
  const double logarithm = std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) +
                           b * std::log(complement);
  const double factor = std::exp(logarithm);
  if (x < (a + 1) / (a + b + 2)) return factor * beta_fraction(a, b, x) / a;
  return 1 - factor * beta_fraction(b, a, complement) / b;
}

}  // namespace

double mean(std::span<const double> values) {
  if (values.empty()) return kUndefined;
  // Relative to the first value, so that the mean of equal values is exactly theirs.
  double sum = 0;
  for (const double value : values) sum += value - values[0];
  return values[0] + sum / static_cast<double>(values.size());
}

double sample_deviation(std::span<const double> values) {
  if (values.size() < 2) return kUndefined;
  const double centre = mean(values);
  double sum = 0;
  for (const double value : values) sum += (value - centre) * (value - centre);
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

double two_sided_p(double t, double degrees_of_freedom) {
  if (std::isnan(t)) return kUndefined;
  if (std::isinf(t)) return 0;
  const double scale = degrees_of_freedom + t * t;
  return incomplete_beta(degrees_of_freedom / 2, 0.5, degrees_of_freedom / scale, t * t / scale);
}

double two_sided_t(double p, double degrees_of_freedom) {
  double low = 0;
  double high = 1;
  while (two_sided_p(high, degrees_of_freedom) > p) high *= 2;
  for (double middle = (low + high) / 2; low < middle && middle < high; middle = (low + high) / 2) {
    (two_sided_p(middle, degrees_of_freedom) > p ? low : high) = middle;
  }
  return high;
}

PairedComparison compare_over_seeds(const ValuesBySeed& first, const ValuesBySeed& second) {
  std::vector<double> differences;
  for (const auto& [seed, value] : first) {
    const auto other = second.find(seed);
    if (other == second.end() || std::isnan(value) || std::isnan(other->second)) continue;
    differences.push_back(value - other->second);
  }
  PairedComparison comparison;
  comparison.num_pairs = differences.size();
  if (differences.size() < 2) return comparison;
  const auto pairs = static_cast<double>(differences.size());
  const double error = sample_deviation(differences) / std::sqrt(pairs);
  const double margin = two_sided_t(kSignificance, pairs - 1) * error;
  comparison.difference = mean(differences);
  comparison.low = comparison.difference - margin;
  comparison.high = comparison.difference + margin;
  if (error > 0) {
    comparison.p = two_sided_p(comparison.difference / error, pairs - 1);
  } else {
    comparison.p = comparison.difference == 0 ? 1 : 0;
  }
  return comparison;
}

}  // namespace hmtc
