#pragma once

#include <cstddef>
#include <functional>

namespace hmtc {

/// How many threads the machine offers, at least one.
int hardware_threads();

/// Calls work(i) for every i below count on up to `threads` threads, in no particular order.
/// When some calls throw, no further ones are begun and, when all threads are done, the exception
/// of the smallest i is thrown: the same one on any number of threads.
void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& work);

}  // namespace hmtc
