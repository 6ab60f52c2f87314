#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace hmtc {

/// Objects that are worth keeping and serve one thread at a time: taken for a while and given back.
/// There are never more than were in use at once.
template <typename T>
class Pool {
  struct GiveBack {
    Pool* pool;
    void operator()(T* object) const {
      const std::lock_guard lock(pool->mutex_);
      pool->free_.emplace_back(object);
    }
  };

 public:
  /// Gives the object back when it ends; must not outlive the pool.
  using Lease = std::unique_ptr<T, GiveBack>;

  explicit Pool(std::function<std::unique_ptr<T>()> make) : make_(std::move(make)) {}

  Lease take() {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        Lease lease(free_.back().release(), GiveBack{this});
        free_.pop_back();
        return lease;
      }
    }
    return Lease(make_().release(), GiveBack{this});
  }

 private:
  std::function<std::unique_ptr<T>()> make_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> free_;
};

}  // namespace hmtc
