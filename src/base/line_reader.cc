#include "base/line_reader.h"

#include "base/strings.h"

namespace hmtc {
namespace {

constexpr std::size_t kChunk = 1 << 18;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kLongestLine = std::size_t{1} << 30;

}  // namespace

LineReader::LineReader(const std::string& path) : source_(path) {}

bool LineReader::refill() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  const std::size_t kept = buffer_.size();
  if (kept > kLongestLine) {
    throw input_error({source_.name(), line_ + 1}, {"a line of at most 1 GiB", "a longer one",
                                                    "check that the file is line by line"});
  }
  std::size_t got = 0;
  buffer_.resize(kept + kChunk);
  try {
    got = source_.read(buffer_.data() + kept, kChunk);
  } catch (...) {
    buffer_.resize(kept);
    throw;
  }
  buffer_.resize(kept + got);
  return got > 0;
}

bool LineReader::next(std::string_view& line) {
  std::size_t searched = begin_;
  std::size_t end;
  while ((end = buffer_.find('\n', searched)) == std::string::npos) {
    searched = buffer_.size() - begin_;  // refill() moves the rest to the front
    if (!refill()) {
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

bool LineReader::would_wait() const {
  return buffer_.find('\n', begin_) == std::string::npos && source_.would_wait();
}

Place LineReader::place() const { return {source_.name(), line_}; }

std::vector<Line> read_lines(LineReader& reader, std::size_t most, BlankLines blank) {
  std::vector<Line> lines;
  std::string_view line;
  try {
    while (lines.size() < most && (lines.empty() || !reader.would_wait()) && reader.next(line)) {
      if (blank == BlankLines::kPassOver && trim(line).empty()) continue;
      lines.push_back({std::string(line), reader.place()});
    }
  } catch (const Error&) {
    if (lines.empty()) throw;
  }
  return lines;
}

}  // namespace hmtc
