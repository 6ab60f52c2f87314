#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "serve/http_exchange.h"
#include "serve/listening_socket.h"

namespace hmtc {

/// One client's connection: its bytes in and out, without ever waiting for them. Used by the
/// thread that watches all connections, except for send_now() while a request is handled.
class Connection {
 public:
  enum class State {
    kReading,   ///< waits for a request or for the rest of one
    kHandling,  ///< a worker has the request
    kWriting,   ///< the client takes its time to read the answer
    kClosing,   ///< all is said; what still comes in is passed over, so that the answer is not lost
  };

  /// `limits` and `large_bytes` outlive the object.
  Connection(FileDescriptor fd, const HttpLimits& limits, LargeBytes& large_bytes);

  int fd() const { return fd_.get(); }
  State state() const { return state_; }
  bool is_idle() const { return state_ == State::kReading && input_.empty() && !head_; }
  bool is_gone() const { return gone_->load(); }
  /// When the client has to have done its part; never while a request is handled.
  Clock::time_point deadline() const { return deadline_; }
  Clock::time_point idle_since() const { return idle_since_; }

  /// Takes what has come. False at the end of the stream or of the client.
  bool receive();

  /// The next request if it is all there; the connection then handles it. Throws HttpError when it
  /// cannot become one.
  std::optional<IncomingRequest> next_request();

  /// Nothing but `bytes` is to be sent before the connection ends.
  void refuse(const std::string& bytes);

  /// Sends what can be sent at once; gives the rest, or nothing when the client is gone.
  std::optional<std::string> send_now(std::string bytes) const;

  /// The handling has ended; `rest` is what is left of the answer, `claim` what it holds.
  void finish_handling(std::optional<std::string> rest, LargeBytes::Claim claim);

  /// Goes on with the answer. False when the client is gone.
  bool write();

  /// The client is gone, or nobody shall wait for it any longer.
  void give_up() { gone_->store(true); }
  /// The answer under way is the last.
  void make_last() { is_last_ = true; }

 private:
  void finish_answer();
  void start_closing();

  FileDescriptor fd_;
  const HttpLimits& limits_;
  LargeBytes& large_bytes_;
  State state_ = State::kReading;
  std::string input_;
  std::size_t searched_ = 0;         ///< of the input, for the end of the head
  std::optional<RequestHead> head_;  ///< of a request whose body is awaited; taken off the input
  LargeBytes::Claim claim_;          ///< of the request, until it is whole; then of the answer
  std::string output_;
  std::size_t sent_ = 0;  ///< of the output
  std::size_t passed_over_ = 0;
  std::size_t requests_ = 0;
  bool is_last_ = false;
  GoneFlag gone_ = std::make_shared<std::atomic<bool>>(false);
  Clock::time_point began_;  ///< the first byte of the request
  Clock::time_point idle_since_ = Clock::now();
  Clock::time_point deadline_;
};

}  // namespace hmtc
