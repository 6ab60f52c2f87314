#pragma once

#include <thread>
#include <vector>

namespace hmtc {

/// Calls work on eight threads at once.
template <typename Work>
void on_eight_threads(const Work& work) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace hmtc
