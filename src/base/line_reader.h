#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_source.h"
#include "base/error.h"

namespace hmtc {

/// Reads lines of a file, a gzip file or standard input ("-"), in constant memory.
/// A line ends at \n; a \r before it is dropped. A last line without \n counts.
/// A byte order mark at the beginning is passed over.
class LineReader {
 public:
  /// Throws kIo when the file cannot be opened.
  explicit LineReader(const std::string& path);

  /// The next line, valid until the next call; false at the end. Throws kIo when reading fails,
  /// kInput when a gzip stream is damaged (the whole lines before the damage are given first) or a
  /// line exceeds 1 GiB. A failure does not go away: the next call throws again.
  bool next(std::string_view& line);

  /// Whether next() would wait for whoever writes to the other end of a pipe.
  bool would_wait() const;

  /// Where the last line that next() gave stands, for messages.
  Place place() const;

 private:
  bool refill();

  ByteSource source_;
  std::string buffer_;
  std::size_t begin_ = 0;
  std::size_t line_ = 0;
};

/// A line that outlives the next one, with its place.
struct Line {
  std::string text;
  Place place;
};

enum class BlankLines { kPassOver, kKeep };

/// Up to `most` further lines; none only at the end. Rather than wait for a pipe, or fail in the
/// middle, it gives the lines that it has: the next call waits, or throws.
std::vector<Line> read_lines(LineReader& reader, std::size_t most, BlankLines blank);

}  // namespace hmtc
