#include "base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <fstream>

#include "base/error.h"

namespace hmtc {
namespace fs = std::filesystem;
namespace {

/// Closes a POSIX descriptor when it goes out of scope.
class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags) : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0644)) {
    if (fd_ < 0) throw io_error("open", path.string());
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { ::close(fd_); }
  int get() const { return fd_; }

 private:
  int fd_;
};

void sync_to_disk(const fs::path& path, int flags) {
  const Descriptor descriptor(path, flags);
  if (::fsync(descriptor.get()) != 0) throw io_error("sync", path.string());
}

fs::path folder_of(const fs::path& path) {
  const fs::path folder = path.parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

void write_all(int fd, std::string_view content, const fs::path& path) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      throw io_error("write", path.string());
    }
    content.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// Where the directory that replaces `path` is prepared, and where the replaced one goes.
fs::path staging_place(const fs::path& path) {
  return folder_of(path) / ("." + path.filename().string() + ".staging");
}

void carry_over(const fs::path& from, const fs::path& to, const std::string& name) {
  if (!name.empty() && fs::exists(from / name) && !fs::exists(to / name)) {
    fs::rename(from / name, to / name);
  }
}

}  // namespace

std::string read_file(const fs::path& path) {
  if (fs::is_directory(path)) {
    errno = EISDIR;
    throw io_error("read", path.string());
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) throw io_error("open", path.string());
  std::string content((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (in.bad()) throw io_error("read", path.string());
  return content;
}

void write_file_atomically(const fs::path& path, std::string_view content) {
  const fs::path temporary = path.string() + ".tmp";
  {
    const Descriptor descriptor(temporary, O_WRONLY | O_CREAT | O_TRUNC);
    write_all(descriptor.get(), content, temporary);
  }
  rename_synced(temporary, path);
}

void rename_synced(const fs::path& temporary, const fs::path& path) {
  sync_to_disk(temporary, O_RDONLY);
  if (::rename(temporary.c_str(), path.c_str()) != 0) throw io_error("replace", path.string());
  sync_to_disk(folder_of(path), O_RDONLY | O_DIRECTORY);
}

void write_directory_atomically(const fs::path& raw_path,
                                const std::function<void(const fs::path&)>& fill,
                                const std::string& keep) {
  const fs::path path = raw_path.has_filename() ? raw_path : raw_path.parent_path();
  recover_directory(path, keep);
  const fs::path staging = staging_place(path);
  fs::create_directories(staging);
  fill(staging);
  for (const auto& entry : fs::directory_iterator(staging)) {
    if (entry.is_regular_file()) sync_to_disk(entry.path(), O_RDONLY);
  }
  sync_to_disk(staging, O_RDONLY | O_DIRECTORY);

  const bool replaces = fs::exists(path);
  const unsigned flags = replaces ? RENAME_EXCHANGE : 0;
  if (::renameat2(AT_FDCWD, staging.c_str(), AT_FDCWD, path.c_str(), flags) != 0) {
    throw io_error("replace", path.string());
  }
  sync_to_disk(folder_of(path), O_RDONLY | O_DIRECTORY);
  recover_directory(path, keep);
}

void recover_directory(const fs::path& raw_path, const std::string& keep) {
  const fs::path path = raw_path.has_filename() ? raw_path : raw_path.parent_path();
  const fs::path staging = staging_place(path);
  if (!fs::exists(staging)) return;
  if (fs::exists(path)) carry_over(staging, path, keep);
  fs::remove_all(staging);
}

}  // namespace hmtc
