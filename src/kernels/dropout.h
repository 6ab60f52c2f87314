#pragma once

#include <cstdint>
#include <span>

namespace hmtc {

/// Inverted dropout: element i becomes zero with the probability `rate`, else it grows by
/// 1 / (1 - rate). Which, seed and i alone decide: the gradient passes through the same call. Seeds
/// are to come from mix_seed(): what neighbouring ones drop differs by a shift. `out` is as long as
/// `values` and may be the same.
void drop_out(std::span<const float> values, double rate, std::uint64_t seed, float* out);

}  // namespace hmtc
