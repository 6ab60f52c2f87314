#pragma once

#include <filesystem>
#include <string>

namespace hmtc {

/// A lock that one process at a time can have. It goes away with the object, and with the process,
/// however that ends; children do not inherit it. The file stays.
class FileLock {
 public:
  /// Makes the file if need be. Throws kUsage with the message `taken` when another has the lock;
  /// kIo.
  FileLock(const std::filesystem::path& file, const std::string& taken);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace hmtc
