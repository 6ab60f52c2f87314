#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "hierarchy/hierarchy.h"
#include "hmtc/document.h"

namespace hmtc {

/// The text of one JSON line for a document, without the newline.
std::string to_json_line(const Document& document);

/// Streams documents into one split file, under a temporary name until close().
class SplitWriter {
 public:
  explicit SplitWriter(const std::filesystem::path& path);
  ~SplitWriter();  ///< without close(): removes the temporary file
  SplitWriter(const SplitWriter&) = delete;
  SplitWriter& operator=(const SplitWriter&) = delete;

  void write(const Document& document);
  /// Syncs and renames to the final name. Throws kIo.
  void close();
  std::size_t count() const { return count_; }

 private:
  std::filesystem::path path_;
  std::filesystem::path temporary_;
  std::ofstream out_;
  std::size_t count_ = 0;
};

}  // namespace hmtc
