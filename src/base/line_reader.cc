#include "base/line_reader.h"

#include <unistd.h>
#include <zlib.h>

#include <filesystem>

#include "base/strings.h"

namespace hmtc {
namespace {

constexpr std::size_t kChunk = 1 << 18;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kLongestLine = std::size_t{1} << 30;

}  // namespace

struct LineReader::Stream {
  gzFile file = nullptr;  // reads plain files as they are
  ~Stream() {
    if (file != nullptr) gzclose(file);
  }
};

LineReader::LineReader(const std::string& path)
    : stream_(std::make_unique<Stream>()), path_(path == "-" ? "standard input" : path) {
  if (path != "-" && std::filesystem::is_directory(path)) {
    errno = EISDIR;
    throw io_error("read", path);
  }
  errno = 0;
  stream_->file = path == "-" ? gzdopen(dup(STDIN_FILENO), "rb") : gzopen(path.c_str(), "rb");
  if (stream_->file == nullptr) throw io_error("open", path_);
  gzbuffer(stream_->file, kChunk);
}

LineReader::~LineReader() = default;

bool LineReader::refill() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  const std::size_t kept = buffer_.size();
  if (kept > kLongestLine) {
    throw input_error({path_, line_ + 1}, {"a line of at most 1 GiB", "a longer one",
                                           "check that the file is line by line"});
  }
  buffer_.resize(kept + kChunk);
  errno = 0;
  const int got = gzread(stream_->file, buffer_.data() + kept, kChunk);
  buffer_.resize(kept + static_cast<std::size_t>(got > 0 ? got : 0));
  if (got > 0) return true;
  int code = Z_OK;
  const char* reason = gzerror(stream_->file, &code);
  if (code == Z_ERRNO) throw io_error("read", path_);
  if (code != Z_OK && code != Z_STREAM_END) {
    throw input_error({path_, line_ + 1},
                      {"a whole gzip stream", reason, "fetch or compress the file again"});
  }
  at_end_ = true;
  return false;
}

bool LineReader::next(std::string_view& line) {
  std::size_t searched = begin_;
  std::size_t end;
  while ((end = buffer_.find('\n', searched)) == std::string::npos) {
    searched = buffer_.size() - begin_;  // refill() moves the rest to the front
    if (at_end_ || !refill()) {
      if (begin_ == buffer_.size()) return false;
      end = buffer_.size();
      break;
    }
  }
  line = std::string_view(buffer_).substr(begin_, end - begin_);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  begin_ = end == buffer_.size() ? end : end + 1;
  if (++line_ == 1 && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  return true;
}

Place LineReader::place() const { return {path_, line_}; }

std::vector<Line> read_filled_lines(LineReader& reader, std::size_t most) {
  std::vector<Line> lines;
  std::string_view line;
  while (lines.size() < most && reader.next(line)) {
    if (!trim(line).empty()) lines.push_back({std::string(line), reader.place()});
  }
  return lines;
}

}  // namespace hmtc
