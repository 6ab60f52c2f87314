#include "base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace hmtc {
namespace {

TEST(ParallelFor, NothingToDoIsDone) {
  parallel_for(0, 4, [](std::size_t) { FAIL(); });
}

TEST(ParallelFor, EveryIndexIsVisitedOnce) {
  for (const int threads : {0, 1, 3, 50}) {
    std::vector<std::atomic<int>> visits(20);
    parallel_for(visits.size(), threads, [&](std::size_t i) { ++visits[i]; });
    for (const auto& count : visits) EXPECT_EQ(count, 1) << threads << " threads";
  }
}

TEST(ParallelFor, AnExceptionReachesTheCallerAndStopsTheRest) {
  for (const int threads : {1, 3}) {
    std::atomic<int> visited = 0;
    EXPECT_THROW(parallel_for(1000000, threads,
                              [&](std::size_t) {
                                ++visited;
                                throw std::runtime_error("bad document");
                              }),
                 std::runtime_error);
    EXPECT_LE(visited, threads);
  }
}

TEST(ParallelFor, WorkMayHaveParallelWorkOfItsOwn) {
  std::atomic<int> visits = 0;
  parallel_for(4, 3, [&](std::size_t) { parallel_for(5, 3, [&](std::size_t) { ++visits; }); });
  EXPECT_EQ(visits, 20);
}

TEST(ParallelFor, SeveralCallersShareTheThreads) {
  std::atomic<int> visits = 0;
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&] {
      for (int round = 0; round < 100; ++round) {
        parallel_for(3, 2, [&](std::size_t) { ++visits; });
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(visits, 4 * 100 * 3);
}

TEST(HardwareThreads, AreAtLeastOne) { EXPECT_GE(hardware_threads(), 1); }

}  // namespace
}  // namespace hmtc
