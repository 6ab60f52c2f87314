#pragma once

#include <cstddef>
#include <span>

namespace hmtc {

/// to[i] += from[i].
void add_to(std::span<const float> from, float* to);

/// In double, so that many small numbers still count.
double sum_of_squares(std::span<const float> values);

}  // namespace hmtc
