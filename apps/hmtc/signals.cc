#include "signals.h"

#include <csignal>

namespace hmtc {
namespace {

std::atomic<bool> g_stop{false};
volatile std::sig_atomic_t g_signal = 0;

void on_signal(int signal) {
  g_signal = signal;
  g_stop.store(true);
  std::signal(signal, SIG_DFL);
}

}  // namespace

void catch_signals() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

const std::atomic<bool>& stop_flag() { return g_stop; }

int caught_signal() { return g_signal; }

}  // namespace hmtc
