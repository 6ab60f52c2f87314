#include "serve/listening_socket.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include "base/error.h"
#include "base/strings.h"

namespace hmtc {
namespace {

constexpr int kWaitingConnections = 512;

/// Where it is bound; the port may have been chosen by the system.
int port_of(int fd) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
  return address.ss_family == AF_INET6
             ? ntohs(reinterpret_cast<const sockaddr_in6*>(&address)->sin6_port)
             : ntohs(reinterpret_cast<const sockaddr_in*>(&address)->sin_port);
}

FileDescriptor listen_at(const addrinfo& address) {
  FileDescriptor fd(::socket(address.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int on = 1;
  // A server that starts again must not wait for connections of its predecessor to time out. Not
  // SO_REUSEPORT: two servers on one port would each get some of the requests.
  if (fd.get() < 0 || ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
      ::bind(fd.get(), address.ai_addr, address.ai_addrlen) != 0 ||
      ::listen(fd.get(), kWaitingConnections) != 0) {
    fd.close();
  }
  return fd;
}

}  // namespace

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  if (this != &other) {
    close();
    fd_ = other.release();
  }
  return *this;
}

void FileDescriptor::close() {
  if (fd_ < 0) return;
  const int why = errno;  // of the call that made it necessary
  ::close(fd_);
  errno = why;
  fd_ = -1;
}

int FileDescriptor::release() { return std::exchange(fd_, -1); }

ListeningSocket listen_on(const std::string& host, int port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int failure = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (failure != 0) {
    throw Error(ErrorKind::kIo,
                fmt::format("cannot listen on {}: {}; give --host an address or a name of this "
                            "machine",
                            in_quotes(host), ::gai_strerror(failure)));
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> addresses(found, ::freeaddrinfo);
  for (const addrinfo* address = found; address != nullptr; address = address->ai_next) {
    FileDescriptor fd = listen_at(*address);
    if (fd.get() < 0) continue;
    const int bound = port_of(fd.get());
    return {std::move(fd), bound};
  }
  throw Error(ErrorKind::kIo, fmt::format("cannot listen on {} port {}: {}; choose another --port",
                                          host, port, std::strerror(errno)));
}

bool is_loopback(const std::string& host) {
  const std::string name = lower_ascii(host);
  if (name == "localhost" || name == "::1") return true;
  in_addr address{};  // 127.evil.example is none
  return name.starts_with("127.") && ::inet_pton(AF_INET, name.c_str(), &address) == 1;
}

std::string host_without_port(const std::string& host) {
  if (host.starts_with("[")) return host.substr(1, host.find(']') - 1);
  return host.substr(0, host.find(':'));
}

}  // namespace hmtc
