#pragma once

#include <atomic>

namespace hmtc {

/// How somebody asks a training run to end before its end. Any thread may ask, a signal handler
/// too; the run looks after every step. One token serves one run: what was asked for cannot be
/// taken back, and who has asked to finish is not paused any more.
class StopToken {
 public:
  enum class Wish {
    kNone,
    kPause,   ///< stop, and keep a checkpoint from which the run can go on
    kFinish,  ///< learn no more, and write the model that is the best so far
  };

  void pause() noexcept {
    Wish none = Wish::kNone;
    wish_.compare_exchange_strong(none, Wish::kPause);
  }
  void finish() noexcept { wish_.store(Wish::kFinish); }

  Wish wish() const noexcept { return wish_.load(); }
  bool is_set() const noexcept { return wish() != Wish::kNone; }

 private:
  static_assert(std::atomic<Wish>::is_always_lock_free);
  std::atomic<Wish> wish_{Wish::kNone};
};

}  // namespace hmtc
