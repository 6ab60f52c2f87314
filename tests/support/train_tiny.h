#pragma once

#include "support/tiny_data.h"

namespace hmtc {

/// Trains a network or the linear model, with an observer that hears everything and may stop the
/// run.
TrainResult train_tiny(const std::filesystem::path& data, const std::filesystem::path& out,
                       const Config& config, RecordingObserver& observer, bool resume = false);

}  // namespace hmtc
