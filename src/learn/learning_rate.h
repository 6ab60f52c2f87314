#pragma once

#include <cstdint>

#include "config/options.h"

namespace hmtc {

/// The learning rate of the step that comes after `step` others, in a run of `num_steps` steps:
/// train.learning_rate times what the schedule leaves of it. During the warm-up, its step k of n
/// has k / n of that (with the cosine, which begins after the warm-up, k / n of the whole).
double learning_rate_at(const TrainOptions& options, std::int64_t step, std::int64_t num_steps);

}  // namespace hmtc
