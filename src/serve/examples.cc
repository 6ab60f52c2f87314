#include "serve/examples.h"

#include "base/json_text.h"
#include "data/jsonl_reader.h"

namespace hmtc {

std::string examples_json(const std::string& path) {
  constexpr std::size_t kMost = 20;
  std::string out = R"({"examples":[)";
  if (!path.empty()) {
    JsonlReader reader(path, DocumentParser::Labels::kOptional);
    Document document;
    for (std::size_t count = 0; count < kMost && reader.next(document);) {
      if (!document.text) continue;
      append_json_string(out += count == 0 ? R"({"id":)" : R"(,{"id":)", document.id);
      append_json_string(out += R"(,"text":)", *document.text);
      out += R"(,"labels":[)";
      for (std::size_t i = 0; i < document.labels.size(); ++i) {
        append_json_string(out += i == 0 ? "" : ",", document.labels[i]);
      }
      out += "]}";
      ++count;
    }
  }
  return out + "]}";
}

}  // namespace hmtc
