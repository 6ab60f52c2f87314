#pragma once

#include <chrono>
#include <cstdint>

namespace hmtc {

/// How fast a run goes, since this process began with it.
class RunClock {
 public:
  double seconds() const;

  /// Counts a step that took so long.
  void add_step(std::size_t documents, double seconds);

  /// Of the steps alone, without validation and checkpoints.
  double documents_per_second() const;

  /// What so many steps more would take, with all that comes between them; 0 before the first.
  double seconds_for(double steps) const;

 private:
  using Clock = std::chrono::steady_clock;

  Clock::time_point start_ = Clock::now();
  std::int64_t steps_ = 0;
  std::int64_t documents_ = 0;
  double seconds_of_steps_ = 0;
};

}  // namespace hmtc
