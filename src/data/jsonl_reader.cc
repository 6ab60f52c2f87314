#include "data/jsonl_reader.h"

#include <fmt/format.h>
#include <simdjson.h>

#include "base/strings.h"

namespace hmtc {
namespace {

namespace json = simdjson::dom;

constexpr const char* kLineFormat =
    R"({"id": "…", "text": "…", "labels": ["…"]}, or "tokens": ["…"] instead of "text")";

Error bad_document(const Place& place, const std::string& found) {
  return input_error(place, {kLineFormat, found, "mend the line"});
}

std::string string_member(json::element value, const char* name, const Place& place) {
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS) {
    throw bad_document(place, fmt::format("a \"{}\" that is not a string", name));
  }
  return std::string(text);
}

std::vector<std::string> list_member(json::element value, const char* name, const Place& place) {
  json::array items;
  if (value.get(items) != simdjson::SUCCESS) {
    throw bad_document(place, fmt::format("\"{}\" that is not a list", name));
  }
  std::vector<std::string> list;
  for (const json::element item : items) list.push_back(string_member(item, name, place));
  return list;
}

/// Identifiers may be numbers: many corpora have them so.
std::string id_member(json::element value, const Place& place) {
  if (value.is_string()) return string_member(value, "id", place);
  if (value.is_number()) return simdjson::minify(value);
  throw bad_document(place, "an \"id\" that is neither string nor number");
}

}  // namespace

struct DocumentParser::Implementation {
  Labels labels;
  json::parser parser;
};

DocumentParser::DocumentParser(Labels labels)
    : implementation_(std::make_unique<Implementation>()) {
  implementation_->labels = labels;
}

DocumentParser::~DocumentParser() = default;

Document DocumentParser::parse(std::string_view line, const Place& place) {
  json::element root;
  const auto code = implementation_->parser.parse(line.data(), line.size()).get(root);
  if (code == simdjson::UTF8_ERROR) {
    throw input_error(place, {"UTF-8", "bytes that are not", "convert the file to UTF-8"});
  }
  if (code == simdjson::NUMBER_ERROR) {
    throw bad_document(place, "a number that JSON does not have, or one too large for 64 bits");
  }
  if (code != simdjson::SUCCESS) {
    throw bad_document(place, fmt::format("bad JSON ({})", simdjson::error_message(code)));
  }
  json::object members;
  if (root.get(members) != simdjson::SUCCESS) throw bad_document(place, "JSON that is no object");

  Document document;
  bool has_labels = false;
  for (const auto& [name, value] : members) {
    if (name == "id") {
      document.id = id_member(value, place);
    } else if (name == "text") {
      document.text = string_member(value, "text", place);
    } else if (name == "tokens") {
      document.tokens = list_member(value, "tokens", place);
    } else if (name == "labels") {
      document.labels = list_member(value, "labels", place);
      has_labels = true;
    }
  }
  if (document.text.has_value() == document.tokens.has_value()) {
    throw bad_document(
        place, document.text ? "both \"text\" and \"tokens\"" : "neither \"text\" nor \"tokens\"");
  }
  if (!has_labels && implementation_->labels == Labels::kRequired) {
    throw bad_document(place, "no \"labels\"");
  }
  return document;
}

JsonlReader::JsonlReader(const std::string& path, DocumentParser::Labels labels)
    : lines_(path), parser_(labels) {}

bool JsonlReader::next(Document& document) {
  std::string_view line;
  do {
    if (!lines_.next(line)) return false;
  } while (trim(line).empty());
  document = parser_.parse(line, lines_.place());
  if (document.id.empty()) document.id = std::to_string(lines_.place().line);
  return true;
}

}  // namespace hmtc
