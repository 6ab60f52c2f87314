#pragma once

#include <cstddef>
#include <optional>

namespace hmtc {

/// Which labels a prediction gives.
struct PredictOptions {
  /// Labels that score at least this, from 0 to 1; without it the threshold that was tuned on validation.
  std::optional<double> threshold = {};
  /// At most so many labels, from 1, the best ones; without a threshold of its own exactly so many.
  std::optional<std::size_t> top = {};
  /// A parent never scores below its child.
  bool coherent = true;
};

}  // namespace hmtc
