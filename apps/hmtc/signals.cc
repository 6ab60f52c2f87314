#include "signals.h"

#include <atomic>
#include <csignal>

namespace hmtc {
namespace {

StopToken g_stop;
std::atomic<bool> g_second_finishes{false};
std::atomic<bool> g_hangup{false};
volatile std::sig_atomic_t g_signal = 0;

void on_signal(int signal) {
  const bool is_first = g_signal == 0;
  g_signal = signal;
  if (is_first) {
    g_stop.pause();
    if (g_second_finishes) return;
  } else {
    g_stop.finish();
  }
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

void on_finish(int /*signal*/) { g_stop.finish(); }

void on_hangup(int /*signal*/) { g_hangup.store(true); }

}  // namespace

void catch_hangups() { std::signal(SIGHUP, on_hangup); }

bool take_hangup() { return g_hangup.exchange(false); }

void catch_signals(SecondSignal second) {
  g_second_finishes = second == SecondSignal::kFinishes;
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

void catch_finish() {
  std::signal(SIGUSR1, on_finish);
  sigset_t finish;  // which the program that became this one has kept off
  ::sigemptyset(&finish);
  ::sigaddset(&finish, SIGUSR1);
  ::sigprocmask(SIG_UNBLOCK, &finish, nullptr);
}

const StopToken& stop_token() { return g_stop; }

int caught_signal() { return g_signal; }

}  // namespace hmtc
