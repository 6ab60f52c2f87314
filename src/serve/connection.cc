#include "serve/connection.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>

namespace hmtc {
namespace {

constexpr std::size_t kPiece = 64 * 1024;
/// What is taken from a client that is to be closed, in bytes and time.
constexpr std::size_t kMostPassedOver = 16 << 20;
constexpr std::chrono::milliseconds kClosingTime{1000};

bool would_wait() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

/// Sends what can be sent at once and says how much; nothing when the client is gone.
std::optional<std::size_t> send_some(int fd, std::string_view bytes) {
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t count =
        ::send(fd, bytes.data() + sent, bytes.size() - sent, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return would_wait() ? std::optional(sent) : std::nullopt;
    sent += static_cast<std::size_t>(count);
  }
  return sent;
}

}  // namespace

Connection::Connection(FileDescriptor fd, const HttpLimits& limits, LargeBytes& large_bytes)
    : fd_(std::move(fd)),
      limits_(limits),
      large_bytes_(large_bytes),
      deadline_(idle_since_ + limits.idle_timeout) {}

bool Connection::receive() {
  std::array<char, kPiece> piece;
  const ssize_t count = ::recv(fd_.get(), piece.data(), piece.size(), MSG_DONTWAIT);
  if (count < 0) return would_wait();
  if (count == 0) return false;
  const auto bytes = static_cast<std::size_t>(count);
  if (state_ == State::kClosing) {
    passed_over_ += bytes;
    return passed_over_ < kMostPassedOver;
  }
  if (is_idle()) {
    began_ = Clock::now();
    deadline_ = began_ + limits_.head_timeout;
  }
  input_.append(piece.data(), bytes);
  return true;
}

std::optional<IncomingRequest> Connection::next_request() {
  if (!head_) {
    // RFC 9112: one empty line before a request does no harm.
    const std::size_t begin = input_.starts_with("\r\n") ? 2 : 0;
    const std::string_view bytes = std::string_view(input_).substr(begin);
    const auto end = find_head_end(bytes, searched_, limits_);
    if (!end) return std::nullopt;
    RequestHead head = parse_head(bytes.substr(0, *end), limits_);
    auto claim = large_bytes_.claim(head.body_bytes);
    if (!claim) {
      throw HttpError(503,
                      "too many large requests at once; try again soon, or send fewer "
                      "documents at a time",
                      1);
    }
    claim_ = std::move(*claim);
    head_ = std::move(head);
    input_.erase(0, begin + *end);
    searched_ = 0;
    deadline_ = began_ + limits_.read_timeout;
    if (head_->expects_continue && input_.size() < head_->body_bytes) {
      send_some(fd_.get(), "HTTP/1.1 100 Continue\r\n\r\n");
    }
  }
  if (input_.size() < head_->body_bytes) return std::nullopt;
  IncomingRequest request{std::move(*head_), {}, began_, gone_, std::move(claim_)};
  head_.reset();
  if (input_.size() == request.head.body_bytes) {
    request.body = std::move(input_);
    input_.clear();
  } else {
    request.body = input_.substr(0, request.head.body_bytes);
    input_.erase(0, request.head.body_bytes);
  }
  if (++requests_ >= limits_.requests_per_connection) is_last_ = true;
  if (is_last_) request.head.keep_alive = false;
  if (!request.head.keep_alive) is_last_ = true;
  state_ = State::kHandling;
  deadline_ = Clock::time_point::max();
  return request;
}

void Connection::refuse(const std::string& bytes) {
  is_last_ = true;
  input_.clear();
  head_.reset();
  claim_.release();
  output_ = bytes;
  sent_ = 0;
  state_ = State::kWriting;
  deadline_ = Clock::now() + limits_.write_timeout;
}

std::optional<std::string> Connection::send_now(std::string bytes) const {
  const auto sent = send_some(fd_.get(), bytes);
  if (!sent) return std::nullopt;
  bytes.erase(0, *sent);
  return bytes;
}

void Connection::finish_handling(std::optional<std::string> rest, LargeBytes::Claim claim) {
  claim_ = std::move(claim);
  if (!rest) give_up();
  output_ = std::move(rest).value_or("");
  sent_ = 0;
  state_ = State::kWriting;
  deadline_ = Clock::now() + limits_.write_timeout;
  if (output_.empty()) finish_answer();
}

bool Connection::write() {
  const auto sent = send_some(fd_.get(), std::string_view(output_).substr(sent_));
  if (!sent) return false;
  sent_ += *sent;
  if (sent_ == output_.size()) finish_answer();
  return true;
}

void Connection::finish_answer() {
  claim_.release();
  output_ = {};
  if (is_last_) return start_closing();
  state_ = State::kReading;
  idle_since_ = Clock::now();
  if (input_.empty()) {
    deadline_ = idle_since_ + limits_.idle_timeout;
  } else {
    began_ = idle_since_;
    deadline_ = began_ + limits_.head_timeout;
  }
}

void Connection::start_closing() {
  ::shutdown(fd_.get(), SHUT_WR);
  state_ = State::kClosing;
  deadline_ = Clock::now() + kClosingTime;
}

}  // namespace hmtc
