#include "report/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hmtc {

Axis axis_over(const std::string& title, const std::vector<double>& values) {
  constexpr double kMostSteps = 8;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  double low = *least;
  double high = *most;
  const double size = std::max(std::abs(low), std::abs(high));
  if (high - low <= size * 1e-6) {  // equal but for rounding
    const double room = size == 0 ? 0.5 : size * 0.02;
    low -= room;
    high += room;
  }
  // Rounding must not push an end that is a multiple of the step to the next one.
  constexpr double kSlack = 1e-9;
  double power = std::pow(10, std::floor(std::log10((high - low) / kMostSteps)));
  for (;; power *= 10) {
    for (const double factor : {1, 2, 5}) {
      const double step = factor * power;
      const double first = std::floor(low / step + kSlack);
      const double last = std::ceil(high / step - kSlack);
      if (last - first <= kMostSteps) return {title, first * step, last * step, step};
    }
  }
}

std::string tick_text(double value, double step) {
  const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
  return fmt::format("{:.{}f}", value, decimals);
}

std::vector<double> ticks(const Axis& axis) {
  std::vector<double> values;
  const auto num_steps = std::lround((axis.high - axis.low) / axis.step);
  for (long i = 0; i <= num_steps; ++i) {
    values.push_back(axis.low + static_cast<double>(i) * axis.step);
  }
  return values;
}

}  // namespace hmtc
