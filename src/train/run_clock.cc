#include "train/run_clock.h"

namespace hmtc {

double RunClock::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

void RunClock::add_step(std::size_t documents, double seconds) {
  ++steps_;
  documents_ += static_cast<std::int64_t>(documents);
  seconds_of_steps_ += seconds;
}

double RunClock::documents_per_second() const {
  return seconds_of_steps_ > 0 ? static_cast<double>(documents_) / seconds_of_steps_ : 0;
}

double RunClock::seconds_for(double steps) const {
  return steps_ == 0 ? 0 : steps * seconds() / static_cast<double>(steps_);
}

}  // namespace hmtc
