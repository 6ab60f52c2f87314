#pragma once

#include <string>
#include <vector>

#include "artifact/safetensors.h"

namespace hmtc {

/// Where a score counts as a prediction, chosen on validation; part of a model.
struct TunedThresholds {
  float common = 0.5F;
  std::vector<float> per_label;
};

void store_thresholds(const TunedThresholds& thresholds, TensorFile& file);

/// Throws kModel when they are missing.
TunedThresholds load_thresholds(const TensorFile& file, std::size_t num_labels,
                                const std::string& file_name);

}  // namespace hmtc
