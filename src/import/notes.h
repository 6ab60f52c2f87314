#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "import/import.h"

namespace hmtc {

/// Counts what an importer skipped, repaired or found remarkable.
class Notes {
 public:
  void skipped(const std::string& what, const Place& place) {
    add(ImportNote::Kind::kSkipped, what, place);
  }
  void repaired(const std::string& what, const Place& place) {
    add(ImportNote::Kind::kRepaired, what, place);
  }
  void kept(const std::string& what, const Place& place) {
    add(ImportNote::Kind::kKept, what, place);
  }
  const std::vector<ImportNote>& all() const { return notes_; }

 private:
  void add(ImportNote::Kind kind, const std::string& what, const Place& place);

  std::vector<ImportNote> notes_;
};

}  // namespace hmtc
