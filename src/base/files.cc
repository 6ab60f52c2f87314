#include "base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <vector>

#include "base/error.h"

namespace hmtc {
namespace fs = std::filesystem;
namespace {

/// Closes a POSIX descriptor when it goes out of scope.
class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags) : Descriptor(path, flags, "open", path) {}
  /// Errors name what is wanted instead of the path.
  Descriptor(const fs::path& path, int flags, const char* action, const fs::path& wanted)
      : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0644)) {
    if (fd_ < 0) throw io_error(action, wanted.string());
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

/// Where a symbolic link leads, also when nothing is there yet.
fs::path end_of_links(fs::path path) {
  constexpr int kMostLinks = 40;  // as Linux has it
  std::error_code failure;
  for (int links = 0; fs::is_symlink(fs::symlink_status(path, failure)); ++links) {
    const fs::path to = fs::read_symlink(path, failure);
    if (failure || links == kMostLinks) {
      errno = failure ? failure.value() : ELOOP;
      throw io_error("open", path.string());
    }
    path = folder_of(path) / to;
  }
  return path;
}

/// A directory may be named with a slash at the end, and by a symbolic link, which stays.
fs::path place_of_directory(fs::path path) {
  for (;;) {
    path = end_of_links(path.has_filename() ? path : path.parent_path());
    if (path.has_filename()) return path;  // a link may have a slash at its end too
  }
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

/// A file that is replaced stays as private as it was.
void keep_mode_of(const fs::path& old, int fd) {
  struct stat status {};
  if (::stat(old.c_str(), &status) == 0) (void)::fchmod(fd, status.st_mode & 07777);
}

/// Where the directory that replaces `path` is prepared, and where the replaced one goes.
fs::path staging_beside(const fs::path& path) {
  return folder_of(path) / ("." + path.filename().string() + kStagingName);
}

/// Where it is prepared when `path` itself cannot be replaced.
fs::path staging_inside(const fs::path& path) { return path / kStagingName; }

/// A mount point, or a directory in a folder that others own, has to stay where it is.
bool can_be_staged_beside(const fs::path& path) {
  const fs::path folder = folder_of(path);
  struct stat own {
  }, above{};
  if (::stat(path.c_str(), &own) != 0) return true;
  return ::stat(folder.c_str(), &above) == 0 && own.st_dev == above.st_dev &&
         ::access(folder.c_str(), W_OK) == 0;
}

void sync_directory(const fs::path& path) {
  for (const auto& entry : fs::directory_iterator(path)) {
    if (entry.is_regular_file()) sync_to_disk(entry.path(), O_RDONLY);
  }
  sync_to_disk(path, O_RDONLY | O_DIRECTORY);
}

/// File by file from the staging place inside of the directory, `last` at last.
void move_in(const fs::path& path, const std::string& last) {
  const fs::path staging = staging_inside(path);
  std::vector<fs::path> names;
  for (const auto& entry : fs::directory_iterator(staging)) {
    if (entry.path().filename() != last) names.push_back(entry.path().filename());
  }
  if (!last.empty()) names.emplace_back(last);
  for (const fs::path& name : names) fs::rename(staging / name, path / name);
  sync_directory(path);
}

void carry_over(const fs::path& from, const fs::path& to, const std::string& name) {
  if (!name.empty() && fs::exists(from / name) && !fs::exists(to / name)) {
    fs::rename(from / name, to / name);
  }
}

}  // namespace

fs::path temporary_beside(const fs::path& path) { return path.string() + ".hmtc-tmp"; }

fs::path one_spelling(const fs::path& path) {
  if (path.empty()) return path;
  const fs::path plain = fs::weakly_canonical(fs::absolute(path));
  return plain.has_filename() ? plain : plain.parent_path();
}

void require_exists(const fs::path& path) {
  if (fs::exists(path)) return;
  errno = ENOENT;
  throw io_error("open", path.string());
}

std::string read_file(const fs::path& path) {
  if (fs::is_directory(path)) {
    errno = EISDIR;
    throw io_error("read", path.string());
  }
  const Descriptor descriptor(path, O_RDONLY);
  struct stat status {};
  if (::fstat(descriptor.get(), &status) != 0) throw io_error("read", path.string());
  // One byte more than the file should have shows its end; what is no regular file has size 0.
  std::string content(static_cast<std::size_t>(status.st_size) + 1, '\0');
  std::size_t size = 0;
  for (;;) {
    if (size == content.size()) content.resize(2 * size);
    const ssize_t got = ::read(descriptor.get(), content.data() + size, content.size() - size);
    if (got == 0) break;
    if (got < 0 && errno != EINTR) throw io_error("read", path.string());
    size += got > 0 ? static_cast<std::size_t>(got) : 0;
  }
  content.resize(size);
  return content;
}

void write_file_atomically(const fs::path& path, std::string_view content) {
  // Of this process alone: what two write to one name is the whole of one of them.
  const fs::path temporary = temporary_beside(path).string() + "." + std::to_string(::getpid());
  try {
    {
      ::unlink(temporary.c_str());  // of a process that had this number and died
      const Descriptor descriptor(temporary, O_WRONLY | O_CREAT | O_EXCL, "write", path);
      keep_mode_of(path, descriptor.get());
      write_all(descriptor.get(), content, path);
    }
    rename_synced(temporary, path);
  } catch (const Error&) {
    ::unlink(temporary.c_str());  // a full disk is not to stay full
    throw;
  }
}

void write_output_file(const fs::path& path, std::string_view content) {
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  if (!fs::exists(status) || fs::is_regular_file(status)) {
    return write_file_atomically(end_of_links(path), content);
  }
  const Descriptor descriptor(path, O_WRONLY);
  write_all(descriptor.get(), content, path);
}

void rename_synced(const fs::path& temporary, const fs::path& path) {
  sync_to_disk(temporary, O_RDONLY);
  if (::rename(temporary.c_str(), path.c_str()) != 0) throw io_error("replace", path.string());
  sync_to_disk(folder_of(path), O_RDONLY | O_DIRECTORY);
}

void write_directory_atomically(const fs::path& raw_path,
                                const std::function<void(const fs::path&)>& fill,
                                const DirectoryEntries& entries) {
  const fs::path path = place_of_directory(raw_path);
  recover_directory(path, entries);
  const bool beside = can_be_staged_beside(path);
  const fs::path staging = beside ? staging_beside(path) : staging_inside(path);
  fs::create_directories(staging);
  fill(staging);
  sync_directory(staging);

  const unsigned flags = fs::exists(path) ? RENAME_EXCHANGE : 0;
  if (beside && ::renameat2(AT_FDCWD, staging.c_str(), AT_FDCWD, path.c_str(), flags) == 0) {
    sync_to_disk(folder_of(path), O_RDONLY | O_DIRECTORY);
  } else {
    if (beside) fs::rename(staging, staging_inside(path));
    move_in(path, entries.last);
  }
  recover_directory(path, entries);
}

void recover_directory(const fs::path& raw_path, const DirectoryEntries& entries) {
  const fs::path path = place_of_directory(raw_path);
  const fs::path inside = staging_inside(path);
  if (!entries.last.empty() && fs::exists(inside / entries.last)) move_in(path, entries.last);
  if (fs::is_directory(path)) fs::remove_all(inside);
  const fs::path beside = staging_beside(path);
  if (!fs::exists(beside)) return;
  if (fs::exists(path)) carry_over(beside, path, entries.kept);
  fs::remove_all(beside);
}

}  // namespace hmtc
