#pragma once

#include <filesystem>

#include "hmtc/train.h"

namespace hmtc {

/// Trains a network in a process of hmtc-trainer, as `hmtc train` would, and tells the job's
/// observer of it. Throws what the process ends with; kUsage when hmtc-trainer is not there. An
/// exception of the observer ends the process as if it had died.
TrainResult train_in_trainer_process(const std::filesystem::path& data, const TrainJob& job);

}  // namespace hmtc
