#pragma once

#include <sys/epoll.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <vector>

#include "serve/listening_socket.h"

namespace hmtc {

/// Watches file descriptors for one thread (epoll). wake() may be called by any.
class EventWatch {
 public:
  using Id = std::uint64_t;  ///< chosen by the caller, below the largest

  enum class For {
    kNothing,
    kReading,
    kWriting,
    kHangUp,  ///< only that the connection has ended in both directions, once
  };

  struct Event {
    Id id = 0;
    bool can_read = false;
  };

  /// Throws kIo when the system has none left.
  EventWatch();

  void add(int fd, Id id) const;  ///< for reading
  void change(int fd, For what, Id id) const;
  void remove(int fd) const;

  /// What has happened; returns at the latest after `timeout`, or when it is woken.
  std::vector<Event> wait(std::chrono::milliseconds timeout);
  void wake() const;

 private:
  FileDescriptor epoll_;
  FileDescriptor wake_up_;
  std::array<epoll_event, 64> events_;
};

}  // namespace hmtc
