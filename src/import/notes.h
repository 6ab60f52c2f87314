#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "base/line_reader.h"
#include "import/import.h"

namespace hmtc {

/// Counts what an importer skipped, repaired or found remarkable; a count of 0 leaves no note.
class Notes {
 public:
  void skipped(const std::string& what, const Place& place, std::size_t count = 1) {
    add(ImportNote::Kind::kSkipped, what, place, count);
  }
  void repaired(const std::string& what, const Place& place, std::size_t count = 1) {
    add(ImportNote::Kind::kRepaired, what, place, count);
  }
  void kept(const std::string& what, const Place& place, std::size_t count = 1) {
    add(ImportNote::Kind::kKept, what, place, count);
  }
  const std::vector<ImportNote>& all() const { return notes_; }

 private:
  void add(ImportNote::Kind kind, const std::string& what, const Place& place,
           std::size_t count = 1);

  std::vector<ImportNote> notes_;
};

/// The next line that is not blank; blank ones are noted. False at the end.
bool next_filled_line(LineReader& reader, std::string_view& line, Notes& notes);

}  // namespace hmtc
