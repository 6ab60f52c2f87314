#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/line_reader.h"
#include "hmtc/document.h"

namespace hmtc {

/// Turns JSON lines into documents. Not for several threads at once; cheap to make one each.
class DocumentParser {
 public:
  enum class Labels { kRequired, kOptional };

  explicit DocumentParser(Labels labels);
  ~DocumentParser();
  DocumentParser(const DocumentParser&) = delete;
  DocumentParser& operator=(const DocumentParser&) = delete;

  /// Throws kInput, naming the place, when the line is not a document: bad JSON or UTF-8, neither
  /// or both of text and tokens, a member of another type. Members of other names are passed over.
  Document parse(std::string_view line, const Place& place);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// Reads a file of JSON lines (or "-"), document by document. Empty lines are passed over.
class JsonlReader {
 public:
  JsonlReader(const std::string& path, DocumentParser::Labels labels);

  bool next(Document& document);
  Place place() const { return lines_.place(); }

 private:
  LineReader lines_;
  DocumentParser parser_;
};

}  // namespace hmtc
