#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace hmtc {

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
  const std::size_t helpers =
      count == 0 ? 0
                 : std::min<std::size_t>(static_cast<std::size_t>(std::max(threads, 1)), count) - 1;
  std::vector<std::thread> pool;
  for (std::size_t i = 0; i < helpers; ++i) pool.emplace_back(run);
  run();
  for (std::thread& thread : pool) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace hmtc
