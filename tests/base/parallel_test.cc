#include "base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
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

TEST(HardwareThreads, AreAtLeastOne) { EXPECT_GE(hardware_threads(), 1); }

}  // namespace
}  // namespace hmtc
