#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "train/train.h"

namespace hmtc {

/// Shows a run on standard error: on a terminal one line that moves, elsewhere a plain line per
/// validation.
class TrainProgress : public TrainObserver {
 public:
  /// `on_begin` is called before the first step, when an interruption can be saved.
  explicit TrainProgress(std::function<void()> on_begin);
  void on_begin() override { on_begin_(); }
  void on_message(const std::string& message) override;
  void on_step(const StepProgress& progress) override;
  void on_validation(const ValidationReport& report) override;

  /// Waits a moment, at a terminal, for a second Ctrl-C.
  void wait_for_second_key();

 private:
  void clear_line();

  bool is_terminal_;
  std::function<void()> on_begin_;
  bool line_is_open_ = false;
  double last_score_ = -1;
  std::chrono::steady_clock::time_point last_shown_;
};

}  // namespace hmtc
