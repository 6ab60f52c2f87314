#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "serve/start_threads.h"

namespace hmtc {

/// A fixed number of threads, each with a function of its own to work with, and a bounded queue.
template <typename Task>
class WorkerPool {
 public:
  /// `make_worker` is called once for each thread, on it. Throws kIo when there is no such thread.
  WorkerPool(std::size_t threads, std::size_t most_waiting,
             std::function<std::function<void(Task)>()> make_worker)
      : most_waiting_(most_waiting), make_worker_(std::move(make_worker)) {
    start_threads(
        threads_, threads, [this] { run(); }, [this] { close(); });
  }

  /// Does what is still in the queue, then ends.
  ~WorkerPool() { close(); }

  /// False when the queue is full; the task is then left as it was.
  bool submit(Task&& task) {
    {
      const std::lock_guard lock(mutex_);
      if (tasks_.size() >= most_waiting_) return false;
      tasks_.push_back(std::move(task));
    }
    task_waits_.notify_one();
    return true;
  }

 private:
  void close() {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
    }
    task_waits_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  void run() {
    const std::function<void(Task)> worker = make_worker_();
    std::unique_lock lock(mutex_);
    for (;;) {
      task_waits_.wait(lock, [this] { return closing_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      Task task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      worker(std::move(task));
      lock.lock();
    }
  }

  const std::size_t most_waiting_;
  const std::function<std::function<void(Task)>()> make_worker_;
  std::mutex mutex_;
  std::condition_variable task_waits_;
  std::deque<Task> tasks_;
  bool closing_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace hmtc
