#pragma once

#include <atomic>

namespace hmtc {

/// From now on the first SIGINT or SIGTERM sets the stop flag, so that the work can be saved; a
/// second one ends the program at once.
void catch_signals();

/// From now on SIGHUP is remembered instead of ending the program.
void catch_hangups();

/// Whether a SIGHUP has come since the last call.
bool take_hangup();

const std::atomic<bool>& stop_flag();

/// The signal that set the flag, or 0.
int caught_signal();

}  // namespace hmtc
