#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/line_reader.h"

namespace hmtc {

/// Rows of a file of separated values after RFC 4180: a field may be quoted, then it may hold the
/// delimiter, line breaks and doubled quotes. A byte-order mark and blank lines are passed over.
class CsvReader {
 public:
  CsvReader(const std::string& path, char delimiter);

  /// The fields of the next row; false at the end. Throws kInput for a quote out of place or left
  /// open.
  bool next(std::vector<std::string>& fields);

  /// Where the last row begins.
  Place place() const { return place_; }

 private:
  void read_quoted(std::string_view& line, std::string& field);

  LineReader reader_;
  char delimiter_;
  Place place_;
};

}  // namespace hmtc
