#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace hmtc {

/// The bytes of a file, a gzip file (recognised by its first two bytes) or standard input ("-"),
/// as soon as they arrive.
class ByteSource {
 public:
  /// Throws kIo when the file cannot be opened.
  explicit ByteSource(const std::string& path);
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Fills `out` with at least one and at most `size` bytes; 0 at the end. Throws kIo when reading
  /// fails, kInput when a gzip stream is damaged: after all bytes before the damage were given.
  std::size_t read(char* out, std::size_t size);

  /// Whether the next read() would wait for whoever writes to the other end of a pipe.
  bool would_wait() const;

  /// The path, or "standard input": for messages.
  const std::string& name() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace hmtc
