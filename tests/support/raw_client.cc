#include "support/raw_client.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>

namespace hmtc {
namespace {

std::size_t content_length(const std::string& head) {
  std::string lower = head;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const std::string name = "content-length:";
  const std::size_t at = lower.find(name);
  return at == std::string::npos ? 0 : std::stoul(lower.substr(at + name.size()));
}

}  // namespace

std::string RawAnswer::message() const {
  const nlohmann::json error = json().at("error");
  if (error.at("status") != status) throw std::runtime_error("two statuses: " + body);
  return error.at("message");
}

RawClient::RawClient(int port) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  if (::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    if (fd_ >= 0) ::close(fd_);
    throw std::runtime_error("cannot connect");
  }
}

RawClient::~RawClient() {
  if (fd_ >= 0) ::close(fd_);
}

bool RawClient::send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t count = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

void RawClient::end_sending() const { ::shutdown(fd_, SHUT_WR); }

bool RawClient::read_more(std::chrono::milliseconds patience) {
  pollfd waiting{fd_, POLLIN, 0};
  if (::poll(&waiting, 1, static_cast<int>(patience.count())) <= 0) return false;
  std::array<char, 65536> piece;
  const ssize_t count = ::recv(fd_, piece.data(), piece.size(), 0);
  if (count <= 0) return false;
  input_.append(piece.data(), static_cast<std::size_t>(count));
  return true;
}

std::optional<RawAnswer> RawClient::receive(bool is_head_request) {
  constexpr std::chrono::seconds kPatience(10);
  std::size_t end = 0;
  while ((end = input_.find("\r\n\r\n")) == std::string::npos) {
    if (!read_more(kPatience)) return std::nullopt;
  }
  RawAnswer answer;
  answer.head = input_.substr(0, end + 4);
  answer.status = std::stoi(answer.head.substr(answer.head.find(' ') + 1));
  const std::size_t length = is_head_request ? 0 : content_length(answer.head);
  while (input_.size() < end + 4 + length) {
    if (!read_more(kPatience)) return std::nullopt;
  }
  answer.body = input_.substr(end + 4, length);
  input_.erase(0, end + 4 + length);
  return answer;
}

RawAnswer RawClient::exchange(std::string_view bytes) {
  send(bytes);
  auto answer = receive();
  if (!answer) throw std::runtime_error("no answer");
  return std::move(*answer);
}

RawAnswer RawClient::get(const std::string& path, const std::string& headers) {
  return exchange("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n");
}

RawAnswer RawClient::post(const std::string& path, const std::string& body,
                          const std::string& headers) {
  return exchange(post_bytes(path, body, headers));
}

bool RawClient::is_closed(std::chrono::milliseconds patience) {
  pollfd waiting{fd_, POLLIN, 0};
  if (::poll(&waiting, 1, static_cast<int>(patience.count())) <= 0) return false;
  char byte = 0;
  return ::recv(fd_, &byte, 1, MSG_PEEK) <= 0;
}

void RawClient::kill() {
  const linger at_once{1, 0};
  ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  ::close(fd_);
  fd_ = -1;
}

std::string post_bytes(const std::string& path, const std::string& body,
                       const std::string& headers) {
  return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
         headers + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

}  // namespace hmtc
