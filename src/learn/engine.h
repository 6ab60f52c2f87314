#pragma once

#include <string>

#include "train/train.h"

namespace hmtc {

/// What computes the steps of a run, and its version; checkpoints hold it.
extern const char* const kEngine;

/// Says that a run goes on with another one than it was begun with, if it is so: another version
/// may add the same numbers in another order.
void warn_of_another_engine(const std::string& engine, TrainObserver& observer);

}  // namespace hmtc
