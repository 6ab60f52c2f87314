#include "serve/http_server.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>
#include <thread>
#include <unordered_map>

#include "serve/answer_workers.h"

namespace hmtc {
namespace {

using Id = EventWatch::Id;
constexpr Id kListener = 0;
constexpr std::chrono::milliseconds kSweepEvery{100};
constexpr std::size_t kMostAcceptedAtOnce = 64;

}  // namespace

class HttpServer::Implementation {
 public:
  Implementation(FileDescriptor listening, HttpServerSettings settings)
      : settings_(std::move(settings)), listening_(std::move(listening)) {
    watch_.add(listening_.get(), kListener);
  }

  void start() {
    workers_ = std::make_unique<AnswerWorkers>(settings_, large_bytes_, watch_, draining_);
    thread_ = start_thread([this] { run(); });
  }

  ~Implementation() {
    drain(std::chrono::milliseconds(0));
    workers_.reset();
  }

  std::size_t drain(std::chrono::milliseconds patience) {
    if (!thread_.joinable()) return 0;
    give_up_at_ = (Clock::now() + patience).time_since_epoch().count();
    draining_ = true;
    watch_.wake();
    thread_.join();
    return cut_off_;
  }

  std::size_t num_connections() const { return num_connections_; }

 private:
  void run() {
    Clock::time_point next_sweep = Clock::now() + kSweepEvery;
    for (;;) {
      for (const EventWatch::Event& event : watch_.wait(kSweepEvery)) {
        if (event.id == kListener) {
          accept_some();
        } else {
          on_event(event.id, event.can_read);
        }
      }
      take_done();
      if (const Clock::time_point now = Clock::now(); now >= next_sweep || draining_) {
        sweep(now);
        next_sweep = now + kSweepEvery;
      }
      if (draining_ && connections_.empty()) return;
    }
  }

  void accept_some() {
    for (std::size_t i = 0; i < kMostAcceptedAtOnce; ++i) {
      FileDescriptor fd(
          ::accept4(listening_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
      if (fd.get() < 0) {
        const int why = errno;
        if (why == EINTR || why == ECONNABORTED) continue;
        // Out of descriptors or memory: the listener would call again at once, so it rests until
        // the next sweep, and an idle client goes.
        if (why == EMFILE || why == ENFILE || why == ENOBUFS || why == ENOMEM) {
          close_idlest();
          watch_.change(listening_.get(), EventWatch::For::kNothing, kListener);
        }
        return;
      }
      if (connections_.size() >= settings_.limits.connections && !close_idlest()) {
        const std::string bytes =
            error_bytes(HttpError(503, "too many connections; try again soon", 1));
        ::send(fd.get(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        settings_.observer({"-", "-", 503, bytes.size(), 0});
        continue;
      }
      const int on = 1;
      ::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      const Id id = next_id_++;
      watch_.add(fd.get(), id);
      connections_.emplace(
          id, std::make_unique<Connection>(std::move(fd), settings_.limits, large_bytes_));
      num_connections_ = connections_.size();
    }
  }

  /// Makes room: the connection that waits longest for a request or the rest of one. False when
  /// all are at work.
  bool close_idlest() {
    auto idlest = connections_.end();
    for (auto it = connections_.begin(); it != connections_.end(); ++it) {
      if (it->second->state() != Connection::State::kReading) continue;
      if (idlest == connections_.end() || it->second->idle_since() < idlest->second->idle_since()) {
        idlest = it;
      }
    }
    if (idlest == connections_.end()) return false;
    close(idlest->first);
    return true;
  }

  void close(Id id) {
    connections_.erase(id);
    num_connections_ = connections_.size();
  }

  void on_event(Id id, bool can_read) {
    const auto found = connections_.find(id);
    if (found == connections_.end()) return;
    Connection& connection = *found->second;
    switch (connection.state()) {
      case Connection::State::kHandling:
        // Gone in both directions: one that has only stopped sending waits for its answer. The
        // worker still has the connection; what it computes may be left out.
        connection.give_up();
        watch_.remove(connection.fd());
        return;
      case Connection::State::kWriting:
        if (!connection.write()) return close(id);
        if (connection.state() == Connection::State::kWriting) return;
        break;
      case Connection::State::kReading:
      case Connection::State::kClosing:
        if (!can_read || !connection.receive()) return close(id);
        break;
    }
    go_on(id, connection);
  }

  /// Looks for the next request in what has come, and has the right events watched.
  void go_on(Id id, Connection& connection) {
    if (connection.state() == Connection::State::kReading) {
      try {
        if (auto request = connection.next_request()) {
          // Watched before the worker starts: a client that is reset at once is seen.
          watch_.change(connection.fd(), EventWatch::For::kHangUp, id);
          if (workers_->submit({id, &connection, std::move(*request)})) return;
          throw HttpError(503, "too many requests wait for a thread; try again soon", 1);
        }
      } catch (const HttpError& error) {
        return refuse(id, connection, error);
      }
    }
    const bool is_writing = connection.state() == Connection::State::kWriting;
    watch_.change(connection.fd(),
                  is_writing ? EventWatch::For::kWriting : EventWatch::For::kReading, id);
  }

  void refuse(Id id, Connection& connection, const HttpError& error) {
    const std::string bytes = error_bytes(error);
    settings_.observer({"-", "-", error.status(), bytes.size(), 0});
    connection.refuse(bytes);
    if (!connection.write()) return close(id);
    go_on(id, connection);
  }

  void take_done() {
    for (Answered& each : workers_->take_done()) {
      Connection& connection = *connections_.at(each.id);
      if (each.is_last) connection.make_last();
      connection.finish_handling(std::move(each.rest), std::move(each.claim));
      if (connection.is_gone()) {
        close(each.id);
      } else {
        go_on(each.id, connection);
      }
    }
  }

  /// Ends what has waited too long, and all that is idle once the server drains.
  void sweep(Clock::time_point now) {
    if (draining_) {
      listening_.close();
    } else {
      watch_.change(listening_.get(), EventWatch::For::kReading, kListener);
    }
    const bool gives_up = draining_ && now.time_since_epoch().count() >= give_up_at_;
    std::vector<Id> ids;
    for (const auto& [id, connection] : connections_) ids.push_back(id);
    for (const Id id : ids) {
      Connection& connection = *connections_.at(id);
      if (connection.state() == Connection::State::kHandling) {
        if (gives_up && !connection.is_gone()) {
          ++cut_off_;
          connection.give_up();
        }
      } else if (gives_up) {
        close(id);
      } else if (draining_ && connection.is_idle()) {
        end_idle(id, connection);
      } else if (now >= connection.deadline()) {
        on_timeout(id, connection);
      }
    }
  }

  /// A request that has come meanwhile is the last; it would be lost with the connection.
  void end_idle(Id id, Connection& connection) {
    if (!connection.receive() || connection.is_idle()) return close(id);
    connection.make_last();
    go_on(id, connection);
  }

  void on_timeout(Id id, Connection& connection) {
    if (connection.state() != Connection::State::kReading || connection.is_idle()) return close(id);
    refuse(id, connection,
           HttpError(408, "expected the whole request within the time limit, found a part of it"));
  }

  const HttpServerSettings settings_;
  LargeBytes large_bytes_{settings_.limits.large_bytes};
  FileDescriptor listening_;
  EventWatch watch_;
  std::atomic<bool> draining_ = false;
  std::atomic<Clock::rep> give_up_at_ = 0;
  std::atomic<std::size_t> num_connections_ = 0;

  // Of the thread that watches.
  std::size_t cut_off_ = 0;
  Id next_id_ = kListener + 1;
  std::unordered_map<Id, std::unique_ptr<Connection>> connections_;

  std::unique_ptr<AnswerWorkers> workers_;
  std::thread thread_;
};

HttpServer::HttpServer(FileDescriptor listening, HttpServerSettings settings)
    : implementation_(std::make_unique<Implementation>(std::move(listening), std::move(settings))) {
}

HttpServer::~HttpServer() = default;

void HttpServer::start() { implementation_->start(); }

std::size_t HttpServer::drain(std::chrono::milliseconds patience) {
  return implementation_->drain(patience);
}

std::size_t HttpServer::num_connections() const { return implementation_->num_connections(); }

}  // namespace hmtc
