#pragma once

#include <string>

namespace hmtc {

/// An open file descriptor; closed at the end.
class FileDescriptor {
 public:
  explicit FileDescriptor(int fd = -1) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(other.release()) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  ~FileDescriptor() { close(); }

  int get() const { return fd_; }
  void close();
  int release();

 private:
  int fd_;
};

struct ListeningSocket {
  FileDescriptor fd;
  int port = 0;
};

/// A socket that takes connections for an address or a name of this machine; port 0: any that is
/// free. Throws kIo when it cannot.
ListeningSocket listen_on(const std::string& host, int port);

/// Whether only this machine can reach the address.
bool is_loopback(const std::string& host);

/// The address or name of a Host header: "[::1]:80" is "::1".
std::string host_without_port(const std::string& host);

}  // namespace hmtc
