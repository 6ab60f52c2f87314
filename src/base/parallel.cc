#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace hmtc {
namespace {

/// The threads of the process that wait for work. There are as many as the largest request has
/// asked for, less the caller's own: requests made at the same time, or from within one another,
/// share them, and whoever finds none free does the work alone.
class ThreadPool {
 public:
  static ThreadPool& instance() {
    static ThreadPool pool;
    return pool;
  }

  ~ThreadPool() {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
    }
    work_waits_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  /// Calls `work` here and on up to `helpers` other threads; returns when all calls have.
  void run(std::size_t helpers, const std::function<void()>& work) {
    Job job{&work, 0};
    {
      const std::lock_guard lock(mutex_);
      helpers = grow(helpers);
      for (std::size_t i = 0; i < helpers; ++i) waiting_.push_back(&job);
      num_waiting_ = waiting_.size();
    }
    for (std::size_t i = 0; i < helpers; ++i) work_waits_.notify_one();
    work();
    {
      const std::lock_guard lock(mutex_);
      std::erase(waiting_, &job);  // no thread was free: nothing is left to help with
      num_waiting_ = waiting_.size();
    }
    if (soon([&] { return job.running == 0; })) return;
    std::unique_lock lock(mutex_);
    work_ends_.wait(lock, [&] { return job.running == 0; });
  }

 private:
  struct Job {
    const std::function<void()>* work;
    std::atomic<std::size_t> running;
  };

  /// Makes threads until there are so many, or as many as the system gives; how many of them.
  std::size_t grow(std::size_t wanted) {
    try {
      while (threads_.size() < wanted) threads_.emplace_back([this] { serve(); });
    } catch (const std::system_error&) {  // fewer do as well
    }
    return std::min(wanted, threads_.size());
  }

  /// Whether the condition comes true within the time that it takes to fall asleep and wake up:
  /// work often comes in quick succession. The processor is left to whoever else wants it.
  template <typename Condition>
  static bool soon(const Condition& condition) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::microseconds(500);
    while (!condition()) {
      if (Clock::now() > end) return false;
      std::this_thread::yield();
    }
    return true;
  }

  void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (waiting_.empty() && !closing_) {
        lock.unlock();
        soon([&] { return num_waiting_ > 0; });
        lock.lock();
      }
      work_waits_.wait(lock, [&] { return closing_ || !waiting_.empty(); });
      if (closing_) return;
      Job* job = waiting_.front();
      waiting_.pop_front();
      num_waiting_ = waiting_.size();
      ++job->running;
      lock.unlock();
      (*job->work)();
      lock.lock();
      if (--job->running == 0) work_ends_.notify_all();  // after which the job may be gone
    }
  }

  std::mutex mutex_;
  std::condition_variable work_waits_;
  std::condition_variable work_ends_;
  std::deque<Job*> waiting_;
  std::atomic<std::size_t> num_waiting_ = 0;  // to be read without the mutex
  std::vector<std::thread> threads_;
  bool closing_ = false;
};

}  // namespace

int hardware_threads() { return std::max(1U, std::thread::hardware_concurrency()); }

void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::size_t failed_at = count;
  std::mutex failure_mutex;
  const auto run = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        next = count;
        const std::lock_guard lock(failure_mutex);
        if (i < failed_at) failure = std::current_exception();
        failed_at = std::min(failed_at, i);
      }
    }
  };
  const std::size_t at_once = std::min(static_cast<std::size_t>(std::max(threads, 1)), count);
  if (at_once > 1) {
    ThreadPool::instance().run(at_once - 1, run);
  } else {
    run();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace hmtc
