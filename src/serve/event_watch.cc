#include "serve/event_watch.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <limits>

#include "base/error.h"

namespace hmtc {
namespace {

constexpr EventWatch::Id kWakeUp = std::numeric_limits<EventWatch::Id>::max();

std::uint32_t events_for(EventWatch::For what) {
  switch (what) {
    case EventWatch::For::kNothing:
      return 0;
    case EventWatch::For::kReading:
      return EPOLLIN;
    case EventWatch::For::kWriting:
      return EPOLLOUT;
    case EventWatch::For::kHangUp:
      return EPOLLET;  // EPOLLHUP and EPOLLERR always come
  }
  return 0;
}

void control(int epoll, int operation, int fd, std::uint32_t events, EventWatch::Id id) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = id;
  ::epoll_ctl(epoll, operation, fd, &event);
}

}  // namespace

EventWatch::EventWatch()
    : epoll_(::epoll_create1(EPOLL_CLOEXEC)), wake_up_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (epoll_.get() < 0 || wake_up_.get() < 0) throw io_error("watch", "connections");
  add(wake_up_.get(), kWakeUp);
}

void EventWatch::add(int fd, Id id) const {
  control(epoll_.get(), EPOLL_CTL_ADD, fd, events_for(For::kReading), id);
}

void EventWatch::change(int fd, For what, Id id) const {
  control(epoll_.get(), EPOLL_CTL_MOD, fd, events_for(what), id);
}

void EventWatch::remove(int fd) const { control(epoll_.get(), EPOLL_CTL_DEL, fd, 0, 0); }

std::vector<EventWatch::Event> EventWatch::wait(std::chrono::milliseconds timeout) {
  const int count = ::epoll_wait(epoll_.get(), events_.data(), static_cast<int>(events_.size()),
                                 static_cast<int>(timeout.count()));
  std::vector<Event> happened;
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events_[static_cast<std::size_t>(i)];
    if (event.data.u64 == kWakeUp) {
      std::uint64_t ignored = 0;
      [[maybe_unused]] const ssize_t got = ::read(wake_up_.get(), &ignored, sizeof ignored);
    } else {
      happened.push_back({event.data.u64, (event.events & EPOLLIN) != 0});
    }
  }
  return happened;
}

void EventWatch::wake() const {
  const std::uint64_t one = 1;
  // It can fail only when it has been woken already.
  [[maybe_unused]] const ssize_t written = ::write(wake_up_.get(), &one, sizeof one);
}

}  // namespace hmtc
