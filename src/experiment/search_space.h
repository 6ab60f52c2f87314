#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiment/plan.h"

namespace hmtc {

/// What a search over a model's settings tries: first the settings as they are, then draws from a
/// short list of values for each setting that matters. Seed and number alone decide a draw, so that
/// a longer search begins with the trials of a shorter one; none comes twice, but for what the
/// data make of `auto` in the first. Settings that `fixed` gives are left alone.
std::vector<Settings> draw_trials(const std::string& model, const Settings& fixed,
                                  std::size_t count, std::uint64_t seed);

}  // namespace hmtc
