#pragma once

#include "hmtc/stop_token.h"

namespace hmtc {

/// What a second SIGINT or SIGTERM does: end the program at once, or finish what is being done,
/// which leaves the third to end it.
enum class SecondSignal { kEnds, kFinishes };

/// From now on the first SIGINT or SIGTERM makes the stop token say that the work be saved.
void catch_signals(SecondSignal second = SecondSignal::kEnds);

/// From now on SIGUSR1 makes the stop token say that the work be finished.
void catch_finish();

/// From now on SIGHUP is remembered instead of ending the program.
void catch_hangups();

/// Whether a SIGHUP has come since the last call.
bool take_hangup();

const StopToken& stop_token();

/// The signal that set the token, or 0.
int caught_signal();

}  // namespace hmtc
