#include "import/document_check.h"

#include <algorithm>

#include "base/strings.h"

namespace hmtc {
namespace {

void check_utf8(const std::string& text, const Place& place) {
  if (is_utf8(text)) return;
  throw input_error(place, {"UTF-8", "bytes that are not", "convert the file to UTF-8 (iconv)"});
}

}  // namespace

void check_label(const std::string& label, const Place& place) {
  check_utf8(label, place);
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20; };
  if (!trim(label).empty() && std::none_of(label.begin(), label.end(), is_control)) return;
  throw input_error(place, {"a label without tabs, line breaks or other control characters",
                            in_quotes(label), "mend the label in the source"});
}

void check_document(const Document& document, const Place& place) {
  check_utf8(document.id, place);
  if (document.text) check_utf8(*document.text, place);
  if (document.tokens) {
    for (const std::string& token : *document.tokens) check_utf8(token, place);
  }
  for (const std::string& label : document.labels) check_label(label, place);
}

bool has_no_word(const Document& document) {
  return document.tokens ? document.tokens->empty() : trim(document.text.value_or("")).empty();
}

}  // namespace hmtc
