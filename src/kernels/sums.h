#pragma once

#include <cstddef>
#include <span>

namespace hmtc {

/// to[i] += from[i].
void add_to(std::span<const float> from, float* to);

/// values[i] += weight * (targets[i] - values[i]).
void move_towards(std::span<const float> targets, float weight, float* values);

/// In double, so that many small numbers still count.
double sum_of_squares(std::span<const float> values);

}  // namespace hmtc
