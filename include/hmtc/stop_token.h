#pragma once

#include <atomic>

namespace hmtc {

/// How somebody asks a training run to end before its end. Any thread may ask, a signal handler
/// too; the run looks after every step.
class StopToken {
 public:
  enum class Wish {
    kNone,
    kPause,   ///< stop, and keep a checkpoint from which the run can go on
    kFinish,  ///< learn no more, and write the model that is the best so far
  };

  void pause() noexcept { wish_.store(Wish::kPause); }
  void finish() noexcept { wish_.store(Wish::kFinish); }

  Wish wish() const noexcept { return wish_.load(); }
  bool is_set() const noexcept { return wish() != Wish::kNone; }

 private:
  static_assert(std::atomic<Wish>::is_always_lock_free);
  std::atomic<Wish> wish_{Wish::kNone};
};

}  // namespace hmtc
