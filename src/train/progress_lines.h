#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "hmtc/train.h"

namespace hmtc {

/// Tells programs of a run: what it hears as lines of JSON (docs/formats.md, "Progress of
/// training").
class ProgressLines : public TrainObserver {
 public:
  /// `on_begin` is called before the first step, when an interruption can be saved. `write` gets
  /// lines with their ends.
  ProgressLines(std::function<void()> on_begin, std::function<void(const std::string&)> write)
      : begin_(std::move(on_begin)), write_(std::move(write)) {}

  void on_begin() override;
  void on_message(const std::string& message) override;
  /// At most five a second.
  void on_step(const StepProgress& progress) override;
  void on_validation(const ValidationReport& report) override;
  void on_end(const TrainResult& result);

 private:
  std::function<void()> begin_;
  std::function<void(const std::string&)> write_;
  std::chrono::steady_clock::time_point last_step_;
};

/// The other end: gives what the lines say to an observer.
class ProgressReader {
 public:
  explicit ProgressReader(TrainObserver& observer) : observer_(observer) {}

  void read(const std::string& line);

  bool has_begun() const { return has_begun_; }
  const std::optional<TrainResult>& result() const { return result_; }
  /// The lines that are no progress: what the program said when it failed.
  const std::string& other_text() const { return other_text_; }

 private:
  TrainObserver& observer_;
  bool has_begun_ = false;
  std::optional<TrainResult> result_;
  std::string other_text_;
};

}  // namespace hmtc
