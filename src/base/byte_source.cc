#include "base/byte_source.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>

#include "base/error.h"

namespace hmtc {
namespace {

constexpr std::size_t kInputSize = 1 << 16;
constexpr int kGzipWindow = 16 + MAX_WBITS;

}  // namespace

struct ByteSource::Implementation {
  explicit Implementation(const std::string& path)
      : name(path == "-" ? "standard input" : path),
        file(path == "-" ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (file < 0) throw io_error("open", name);
  }

  ~Implementation() {
    if (is_gzip) inflateEnd(&inflater);
    close(file);
  }
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  /// One more portion of the file behind what is left of the last; false at the end.
  bool fill() {
    std::memmove(input.data(), input.data() + begin, end - begin);
    end -= begin;
    begin = 0;
    const std::size_t got = read_some(input.data() + end, input.size() - end);
    end += got;
    return got > 0;
  }

  /// As many bytes as the system has, at most `size`; 0 at the end.
  std::size_t read_some(void* out, std::size_t size) const {
    ssize_t got = 0;
    do {
      got = ::read(file, out, size);
    } while (got < 0 && errno == EINTR);
    if (got < 0) throw io_error("read", name);
    return static_cast<std::size_t>(got);
  }

  void recognise() {
    recognised = true;
    constexpr unsigned char kMagic[] = {0x1f, 0x8b};
    for (std::size_t i = 0; i < 2; ++i) {  // no byte is waited for that would decide nothing
      if ((end == i && !fill()) || input[i] != kMagic[i]) return;
    }
    if (inflateInit2(&inflater, kGzipWindow) != Z_OK) throw std::bad_alloc();
    is_gzip = true;
  }

  std::size_t copy(char* out, std::size_t size) {
    if (begin == end && size >= input.size()) return read_some(out, size);
    if (begin == end && !fill()) return 0;
    const std::size_t count = std::min(size, end - begin);
    std::memcpy(out, input.data() + begin, count);
    begin += count;
    return count;
  }

  std::size_t decompress(char* out, std::size_t size) {
    inflater.next_out = reinterpret_cast<Bytef*>(out);
    inflater.avail_out = static_cast<uInt>(size);
    while (inflater.avail_out == size) {
      if (begin == end && !fill()) {
        if (between_members) return 0;
        throw damaged("an end in its middle");
      }
      if (between_members) inflateReset(&inflater);  // `cat a.gz b.gz` is a gzip file, too
      inflater.next_in = input.data() + begin;
      inflater.avail_in = static_cast<uInt>(end - begin);
      const int code = inflate(&inflater, Z_NO_FLUSH);
      begin = end - inflater.avail_in;
      between_members = code == Z_STREAM_END;
      const bool is_damaged = code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR;
      if (is_damaged && inflater.avail_out == size) {
        throw damaged(inflater.msg != nullptr ? inflater.msg : "damaged data");
      }
    }
    return size - inflater.avail_out;
  }

  Error damaged(const std::string& found) const {
    return input_error({name}, {"a whole gzip stream", found, "fetch or compress the file again"});
  }

  std::string name;
  int file;
  std::array<unsigned char, kInputSize> input{};
  std::size_t begin = 0;  // of what is not used yet of `input`
  std::size_t end = 0;
  bool recognised = false;
  bool is_gzip = false;
  bool between_members = false;
  z_stream inflater{};
};

ByteSource::ByteSource(const std::string& path) {
  if (path != "-" && std::filesystem::is_directory(path)) {
    errno = EISDIR;
    throw io_error("read", path);
  }
  implementation_ = std::make_unique<Implementation>(path);
}

ByteSource::~ByteSource() = default;

std::size_t ByteSource::read(char* out, std::size_t size) {
  if (!implementation_->recognised) implementation_->recognise();
  return implementation_->is_gzip ? implementation_->decompress(out, size)
                                  : implementation_->copy(out, size);
}

bool ByteSource::would_wait() const {
  if (implementation_->begin < implementation_->end) return false;
  pollfd request{.fd = implementation_->file, .events = POLLIN, .revents = 0};
  return poll(&request, 1, 0) == 0;
}

const std::string& ByteSource::name() const { return implementation_->name; }

}  // namespace hmtc
