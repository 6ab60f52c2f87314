// JSON lines as the authors of LA-HCN and HARNN publish them: words, and label ids per level. The
// tree is not in these files; parent_inference.h tells how it is found.

#include <fmt/format.h>
#include <simdjson.h>

#include "base/line_reader.h"
#include "base/strings.h"
#include "import/importer.h"
#include "import/parent_inference.h"

namespace hmtc {
namespace {

namespace dom = simdjson::dom;

constexpr const char* kHarnnLevels[] = {"section", "subsection", "group", "subgroup"};

class LahcnSource : public DocumentSource {
 public:
  /// `inference` may be null: then nothing is learnt.
  LahcnSource(const std::string& path, ParentInference* inference, Notes& notes)
      : reader_(path), inference_(inference), notes_(notes) {}
  Place place() const override { return reader_.place(); }

  bool next(Document& document) override {
    std::string_view line;
    if (!next_filled_line(reader_, line, notes_)) return false;
    dom::object record;
    if (const auto code = parser_.parse(line.data(), line.size()).get(record)) {
      throw input_error(place(), {"a JSON object", simdjson::error_message(code),
                                  "check that the file has one object a line"});
    }
    read_id(record, document);
    read_words(record, document);
    const LevelIds labels = read_levels(record);
    for (std::size_t level = 0; level < labels.size(); ++level) {
      for (const std::int64_t id : labels[level]) document.labels.push_back(level_label(level, id));
    }
    if (inference_ != nullptr) inference_->add(labels, place());
    return true;
  }

 private:
  Error wrong(const std::string& key, const std::string& expected) const {
    return input_error(place(), {fmt::format("\"{}\" with {}", key, expected),
                                 "something else or nothing", "mend the record"});
  }

  void read_id(const dom::object& record, Document& document) const {
    dom::element value;
    if (record["id"].get(value) != simdjson::SUCCESS) return;
    std::string_view text;
    std::int64_t number = 0;
    if (value.get(text) == simdjson::SUCCESS) {
      document.id = text;
    } else if (value.get(number) == simdjson::SUCCESS) {
      document.id = std::to_string(number);
    } else {
      throw wrong("id", "a string or a whole number");
    }
  }

  /// LA-HCN has "content"; HARNN has "title" and "abstract".
  void read_words(const dom::object& record, Document& document) const {
    document.tokens.emplace();
    bool found = false;
    for (const char* key : {"content", "title", "abstract"}) {
      dom::element words;
      if (record[key].get(words) != simdjson::SUCCESS) continue;
      found = true;
      dom::array list;
      if (words.get(list) != simdjson::SUCCESS) throw wrong(key, "a list of words");
      for (const dom::element word : list) {
        std::string_view text;
        if (word.get(text) != simdjson::SUCCESS) throw wrong(key, "a list of words");
        document.tokens->emplace_back(text);
      }
    }
    if (!found) throw wrong("content", "a list of words, or \"title\" and \"abstract\"");
  }

  LevelIds read_levels(const dom::object& record) const {
    LevelIds levels;
    dom::element local;
    if (record["label_local"].get(local) == simdjson::SUCCESS) {
      dom::array lists;
      if (local.get(lists) != simdjson::SUCCESS)
        throw wrong("label_local", "a list of lists of ids");
      for (const dom::element ids : lists) levels.push_back(read_ids(ids, "label_local"));
      return levels;
    }
    std::string missing;
    for (const char* key : kHarnnLevels) {
      dom::element ids;
      if (record[key].get(ids) != simdjson::SUCCESS) {
        if (missing.empty()) missing = key;
        continue;
      }
      if (!missing.empty())
        throw wrong(missing.c_str(), "the level above the one of \"" + std::string(key) + "\"");
      levels.push_back(read_ids(ids, key));
    }
    if (levels.empty()) throw wrong("label_local", "the ids per level, or \"section\" and so on");
    return levels;
  }

  std::vector<std::int64_t> read_ids(const dom::element& element, const char* key) const {
    dom::array list;
    if (element.get(list) != simdjson::SUCCESS) throw wrong(key, "a list of label ids");
    std::vector<std::int64_t> ids;
    for (const dom::element value : list) {
      std::int64_t id = 0;
      if (value.get(id) != simdjson::SUCCESS || id < 0) {
        throw wrong(key, "label ids that are whole numbers from 0");
      }
      ids.push_back(id);
    }
    return ids;
  }

  LineReader reader_;
  ParentInference* inference_;
  Notes& notes_;
  dom::parser parser_;
};

class LahcnImporter : public Importer {
 public:
  explicit LahcnImporter(const std::vector<std::string>& inputs) : inputs_(inputs) {}
  std::size_t num_inputs() const override { return inputs_.size(); }

  std::unique_ptr<DocumentSource> open(std::size_t input, Notes& notes) override {
    return std::make_unique<LahcnSource>(inputs_[input], learning_ ? &inference_ : nullptr, notes);
  }

  std::vector<HierarchyEdge> edges(Notes& notes) override {
    learning_ = false;
    return inference_.edges(notes);
  }

 private:
  std::vector<std::string> inputs_;
  ParentInference inference_;
  bool learning_ = true;
};

}  // namespace

std::unique_ptr<Importer> make_lahcn_json_importer(const ImportOptions& options, Notes&) {
  return std::make_unique<LahcnImporter>(options.inputs);
}

}  // namespace hmtc
