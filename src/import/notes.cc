#include "import/notes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"

namespace hmtc {

void Notes::add(ImportNote::Kind kind, const std::string& what, const Place& place,
                std::size_t count) {
  if (count == 0) return;
  const auto same = [&](const ImportNote& note) { return note.kind == kind && note.what == what; };
  const auto found = std::find_if(notes_.begin(), notes_.end(), same);
  if (found != notes_.end()) {
    found->count += count;
    return;
  }
  notes_.push_back({kind, what, count,
                    place.line == 0 ? place.file : fmt::format("{}:{}", place.file, place.line)});
}

bool next_filled_line(LineReader& reader, std::string_view& line, Notes& notes) {
  while (reader.next(line)) {
    if (!trim(line).empty()) return true;
    notes.skipped("blank lines", reader.place());
  }
  return false;
}

}  // namespace hmtc
