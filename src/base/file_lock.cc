#include "base/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.h"

namespace hmtc {

FileLock::FileLock(const std::filesystem::path& file, const std::string& taken)
    : descriptor_(::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) throw io_error("write", file.string());
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  const int failure = errno;
  ::close(descriptor_);
  if (failure == EWOULDBLOCK) throw Error(ErrorKind::kUsage, taken);
  errno = failure;
  throw io_error("lock", file.string());
}

FileLock::~FileLock() { ::close(descriptor_); }

}  // namespace hmtc
