#include "signals.h"

#include <csignal>

namespace hmtc {
namespace {

std::atomic<bool> g_stop{false};
std::atomic<bool> g_hangup{false};
volatile std::sig_atomic_t g_signal = 0;

void on_signal(int signal) {
  g_signal = signal;
  g_stop.store(true);
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

void on_hangup(int /*signal*/) { g_hangup.store(true); }

}  // namespace

void catch_hangups() { std::signal(SIGHUP, on_hangup); }

bool take_hangup() { return g_hangup.exchange(false); }

void catch_signals() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

const std::atomic<bool>& stop_flag() { return g_stop; }

int caught_signal() { return g_signal; }

}  // namespace hmtc
