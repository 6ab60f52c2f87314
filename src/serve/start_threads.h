#pragma once

#include <fmt/format.h>

#include <functional>
#include <system_error>
#include <thread>
#include <vector>

#include "base/error.h"

namespace hmtc {

/// Starts `count` threads that run `work`. When the system gives no more, `close` is called, which
/// has those that run end and joins them, and kIo is thrown.
inline void start_threads(std::vector<std::thread>& threads, std::size_t count,
                          const std::function<void()>& work, const std::function<void()>& close) {
  try {
    while (threads.size() < count) threads.emplace_back(work);
  } catch (const std::system_error& error) {
    const std::size_t started = threads.size();
    close();
    throw Error(ErrorKind::kIo,
                fmt::format("cannot start {} threads, only {}: {}; lower --queue or --threads, or "
                            "raise the limits of the process",
                            count, started, error.code().message()));
  }
}

}  // namespace hmtc
