#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace hmtc {

/// Reads lines of a file, a gzip file or standard input ("-"), in constant memory.
/// A line ends at \n; a \r before it is dropped. A last line without \n counts.
/// A byte order mark at the beginning is passed over.
class LineReader {
 public:
  /// Throws kIo when the file cannot be opened.
  explicit LineReader(const std::string& path);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  /// The next line, valid until the next call; false at the end. Throws kIo when reading fails,
  /// kInput when a gzip stream is damaged or a line exceeds 1 GiB.
  bool next(std::string_view& line);

  /// Where the last line that next() gave stands, for messages.
  Place place() const;

 private:
  bool refill();

  struct Stream;
  std::unique_ptr<Stream> stream_;
  std::string path_;
  std::string buffer_;
  std::size_t begin_ = 0;
  std::size_t line_ = 0;
  bool at_end_ = false;
};

/// A line that outlives the next one, with its place.
struct Line {
  std::string text;
  Place place;
};

/// Up to `most` further lines, blank ones passed over; fewer only at the end.
std::vector<Line> read_filled_lines(LineReader& reader, std::size_t most);

}  // namespace hmtc
