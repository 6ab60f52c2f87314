#pragma once

#include <string>

#include "base/line_reader.h"

namespace hmtc {

/// Cuts a file into its elements <NAME …>…</NAME>, one in memory at a time. What stands between
/// them (a prologue, an element around all) is passed over.
class RecordReader {
 public:
  RecordReader(const std::string& path, const std::string& element);

  /// The next element with its tags; false at the end. Throws kInput when its end tag is missing.
  bool next(std::string& record);

  /// Where the last record begins.
  Place place() const { return place_; }

 private:
  bool read_line();
  std::size_t find_start(std::size_t from) const;
  Error unfinished(const std::string& found) const;

  LineReader reader_;
  std::string start_tag_;  ///< "<NAME", to be followed by a blank or >
  std::string end_tag_;
  std::string text_;       ///< the lines that were read last
  std::size_t begin_ = 0;  ///< of what was not yet given
  Place place_;
};

}  // namespace hmtc
