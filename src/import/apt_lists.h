#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/error.h"

namespace hmtc {

/// The lists among the inputs: files of these kinds, and those in directories, sorted by name.
struct AptLists {
  std::vector<std::string> packages;      ///< …Packages, plain or compressed
  std::vector<std::string> translations;  ///< …Translation-en, plain or compressed
};

/// Throws kInput for a file that is neither and when there is no packages list at all.
AptLists find_apt_lists(const std::vector<std::string>& inputs);

/// Lines of a list. Plain and gzip files are read directly, others (lz4, xz, zstd, bzip2) through
/// apt's own helper program.
class AptLines {
 public:
  virtual ~AptLines() = default;
  virtual bool next(std::string_view& line) = 0;
  virtual Place place() const = 0;
};

/// Throws kIo when the file cannot be opened or the helper it needs is missing.
std::unique_ptr<AptLines> open_apt_list(const std::string& path);

/// The paragraphs of a list: fields by their names in lower case. The lines of a longer field are
/// joined by newlines, without the blank that each continuation begins with.
class StanzaReader {
 public:
  using Stanza = std::unordered_map<std::string, std::string>;

  explicit StanzaReader(const std::string& path) : lines_(open_apt_list(path)) {}

  /// The next paragraph; false at the end. Throws kInput for a line that is no field.
  bool next(Stanza& stanza);

  /// Where the last paragraph begins.
  Place place() const { return place_; }

 private:
  std::unique_ptr<AptLines> lines_;
  Place place_;
};

}  // namespace hmtc
