#pragma once

#include <fmt/format.h>

#include <functional>
#include <system_error>
#include <thread>
#include <vector>

#include "base/error.h"

namespace hmtc {

/// Throws kIo when the system gives no more.
inline std::thread start_thread(const std::function<void()>& work) {
  try {
    return std::thread(work);
  } catch (const std::system_error& error) {
    throw Error(ErrorKind::kIo, fmt::format("cannot start a thread: {}; lower --queue or "
                                            "--threads, or raise the limits of the process",
                                            error.code().message()));
  }
}

/// Starts `count` threads that run `work`. When one cannot be had, `close` is called, which has
/// those that run end and joins them, and kIo is thrown.
inline void start_threads(std::vector<std::thread>& threads, std::size_t count,
                          const std::function<void()>& work, const std::function<void()>& close) {
  threads.reserve(count);
  try {
    while (threads.size() < count) threads.push_back(start_thread(work));
  } catch (const Error&) {
    close();
    throw;
  }
}

}  // namespace hmtc
