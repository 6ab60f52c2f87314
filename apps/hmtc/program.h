#pragma once

#include "train/train.h"

namespace hmtc {

/// The program: reads the command line, does what it says and gives the exit code. `train_network`
/// trains networks; null: hmtc-trainer is started for that.
int run_program(int argc, char** argv, TrainNetwork* train_network);

}  // namespace hmtc
