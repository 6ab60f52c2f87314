#include "train_progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <thread>

#include "output.h"
#include "signals.h"

namespace hmtc {
namespace {

constexpr std::chrono::milliseconds kRefresh{200};
constexpr std::chrono::seconds kPatience{2};

/// 75 -> "1:15", 3700 -> "1:01:40".
std::string duration(double seconds) {
  const auto total = static_cast<long>(std::lround(seconds));
  if (total >= 3600)
    return fmt::format("{}:{:02}:{:02}", total / 3600, total / 60 % 60, total % 60);
  return fmt::format("{}:{:02}", total / 60, total % 60);
}

}  // namespace

TrainProgress::TrainProgress(std::function<void()> on_begin)
    : is_terminal_(isatty(STDERR_FILENO) != 0), on_begin_(std::move(on_begin)) {}

void TrainProgress::clear_line() {
  if (line_is_open_) print_message("\r\x1b[K");
  line_is_open_ = false;
}

void TrainProgress::on_message(const std::string& message) {
  clear_line();
  print_message(message + "\n");
}

void TrainProgress::on_step(const StepProgress& progress) {
  const auto now = std::chrono::steady_clock::now();
  if (!is_terminal_ || now - last_shown_ < kRefresh) return;
  last_shown_ = now;
  print_message(fmt::format(
      "\r\x1b[Kepoch {}/{}  {:3.0f} %  loss {:.4f}  AU(PRC) {}  {:.0f} docs/s  {} left",
      progress.epoch + 1, progress.epochs,
      100.0 * static_cast<double>(progress.batch) / static_cast<double>(progress.batches),
      progress.loss, last_score_ < 0 ? "-" : fmt::format("{:.4f}", last_score_),
      progress.documents_per_second, duration(progress.seconds_left)));
  line_is_open_ = true;
}

void TrainProgress::on_validation(const ValidationReport& report) {
  clear_line();
  last_score_ = report.score;
  print_message(fmt::format(
      "epoch {:g}  step {}  loss {:.4f}  AU(PRC) {:.4f}{}  {:.0f} docs/s  at most {} left\n",
      report.epoch, report.step, report.loss, report.score, report.is_best ? " *" : "  ",
      report.documents_per_second, duration(report.seconds_left)));
}

void TrainProgress::wait_for_second_key() {
  constexpr std::chrono::milliseconds kLookEvery{20};
  if (!is_terminal_ || caught_signal() != SIGINT) return;
  on_message("saved; Ctrl-C within two seconds: finish now with the best so far");
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < end && stop_token().wish() == StopToken::Wish::kPause) {
    std::this_thread::sleep_for(kLookEvery);
  }
}

}  // namespace hmtc
