#pragma once

#include <string>
#include <vector>

namespace hmtc {

/// An axis from `low` to `high`, both multiples of `step`, with a tick at every multiple.
struct Axis {
  std::string title;
  double low = 0;
  double high = 1;
  double step = 0.2;
};

/// The shortest axis over all values (at least one, all finite) with a step of 1, 2 or 5 times a
/// power of ten and at most eight steps. Of equal values it has room on both sides.
Axis axis_over(const std::string& title, const std::vector<double>& values);

/// The values of the ticks, from low to high.
std::vector<double> ticks(const Axis& axis);

/// A tick's number with as many decimals as the step needs.
std::string tick_text(double value, double step);

}  // namespace hmtc
