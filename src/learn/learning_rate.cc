#include "learn/learning_rate.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace hmtc {
namespace {

/// Half a cosine from 1, after the warm-up, to 0, after the last step.
double cosine_share(double step, double warmup_steps, double num_steps) {
  if (step <= warmup_steps) return 1;
  const double way = std::min(1.0, (step - warmup_steps) / std::max(1.0, num_steps - warmup_steps));
  return (1 + std::cos(std::numbers::pi * way)) / 2;
}

}  // namespace

double learning_rate_at(const TrainOptions& options, std::int64_t step, std::int64_t num_steps) {
  const auto warmup_steps = static_cast<double>(options.warmup_steps);
  const auto done = static_cast<double>(step);
  const double share =
      options.schedule == Schedule::kCosine
          ? cosine_share(done, warmup_steps, static_cast<double>(num_steps))
          : std::pow(options.decay, static_cast<double>(step / options.decay_steps));
  const double warmth = done < warmup_steps ? (done + 1) / warmup_steps : 1;
  return options.learning_rate * share * warmth;
}

}  // namespace hmtc
