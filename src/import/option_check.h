#pragma once

#include "import/import.h"

namespace hmtc {

/// Throws kUsage for options that contradict each other or mean nothing to the format, kIo for an
/// input that is not there.
void check_options(const ImportOptions& options);

/// Throws kUsage unless there is an input for train and one for test, and perhaps one for val.
void check_number_of_splits(std::size_t num_inputs);

}  // namespace hmtc
