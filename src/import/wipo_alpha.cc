// WIPO-alpha: patents as XML records, with the main IPC symbol in ipcs/@mc, further ones in
// ipc/@ic, and title, abstract, claims and description in one or more languages.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <pugixml.hpp>

#include "base/strings.h"
#include "import/edge_collector.h"
#include "import/importer.h"
#include "import/record_reader.h"

namespace hmtc {
namespace fs = std::filesystem;
namespace {

/// The digits of the main group in what follows the subclass: "1/02", "00102" (three digits for the
/// group), "0001020000" (four, as in WIPO's standard ST.8), or the group alone. Nothing when it is
/// none of these.
std::optional<std::string> main_group(std::string_view rest) {
  std::string_view group = rest.substr(0, rest.find('/'));
  const bool has_subgroup = group.size() < rest.size();
  if (has_subgroup && !is_digits(rest.substr(group.size() + 1))) return std::nullopt;
  if (!is_digits(group)) return std::nullopt;
  if (!has_subgroup && group.size() > 3) group = group.substr(0, group.size() >= 10 ? 4 : 3);
  group.remove_prefix(std::min(group.find_first_not_of('0'), group.size()));
  if (group.empty() || group.size() > 4) return std::nullopt;
  return std::string(group);
}

/// The labels of an IPC symbol from the top: A, A01, A01B, A01B1 for "A01B00102". Shorter symbols
/// give fewer levels. Empty when it is not a symbol.
std::vector<std::string> ipc_labels(std::string_view symbol) {
  std::string text;
  for (const char c : symbol) {
    if (c != ' ' && c != '\t') text += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  const std::string_view view = text;
  const auto is_letter = [](char c) { return c >= 'A' && c <= 'Z'; };
  if (view.empty() || view[0] < 'A' || view[0] > 'H') return {};
  std::vector<std::string> labels = {text.substr(0, 1)};
  if (view.size() == 1) return labels;
  if (view.size() < 3 || !is_digits(view.substr(1, 2))) return {};
  labels.push_back(text.substr(0, 3));
  if (view.size() == 3) return labels;
  if (!is_letter(view[3])) return {};
  labels.push_back(text.substr(0, 4));
  if (view.size() == 4) return labels;
  const auto group = main_group(view.substr(4));
  if (!group) return {};
  labels.push_back(labels.back() + *group);
  return labels;
}

/// Elements of a patent nest a handful of levels deep.
constexpr std::size_t kDeepestElement = 200;

/// Whether an element has others inside it, one in the other, beyond that depth.
bool nests_too_deep(const pugi::xml_node& root) {
  std::size_t depth = 0;
  for (pugi::xml_node node = root.first_child(); node && node != root;) {
    if (depth > kDeepestElement) return true;
    if (node.first_child()) {
      node = node.first_child();
      ++depth;
      continue;
    }
    while (node != root && !node.next_sibling()) {
      node = node.parent();
      if (node != root) --depth;
    }
    if (node != root) node = node.next_sibling();
  }
  return false;
}

/// The text of an element and of all inside it, its parts separated by blanks.
std::string all_text(const pugi::xml_node& node) {
  std::string text;
  for (const pugi::xml_node& child : node.children()) {
    const bool is_text = child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata;
    const std::string part = is_text ? child.value() : all_text(child);
    if (!text.empty() && text.back() != ' ' && !part.empty()) text += ' ';
    text += part;
  }
  return text;
}

/// The files of an input: itself, or all *.xml below a directory, sorted.
std::vector<std::string> xml_files(const std::string& input) {
  if (!fs::is_directory(input)) return {input};
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(input)) {
    if (entry.is_regular_file() && lower_ascii(entry.path().extension().string()) == ".xml") {
      files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

class WipoSource : public DocumentSource {
 public:
  WipoSource(const std::string& input, const std::string& language, EdgeCollector& edges,
             Notes& notes)
      : files_(xml_files(input)), language_(lower_ascii(language)), edges_(edges), notes_(notes) {}

  Place place() const override { return place_; }

  bool next(Document& document) override {
    std::string record;
    while (next_record(record)) {
      pugi::xml_document xml;
      const pugi::xml_parse_result result =
          xml.load_buffer(record.data(), record.size(), pugi::parse_default, pugi::encoding_utf8);
      if (!result) {
        const auto offset = static_cast<std::ptrdiff_t>(
            std::min(static_cast<std::size_t>(result.offset), record.size()));
        const auto lines = std::count(record.begin(), record.begin() + offset, '\n');
        throw input_error({place_.file, place_.line + static_cast<std::size_t>(lines)},
                          {"well-formed XML", result.description(), "mend the record"});
      }
      if (nests_too_deep(xml.document_element())) {
        throw input_error(place_, {fmt::format("elements at most {} levels deep", kDeepestElement),
                                   "deeper ones", "mend the record"});
      }
      if (read_record(xml.document_element(), document)) return true;
      document = {};
    }
    return false;
  }

 private:
  bool next_record(std::string& record) {
    for (;;) {
      if (reader_ == nullptr) {
        if (next_file_ == files_.size()) return false;
        reader_ = std::make_unique<RecordReader>(files_[next_file_++], "record");
      }
      if (reader_->next(record)) {
        place_ = reader_->place();
        return true;
      }
      reader_.reset();
    }
  }

  bool read_record(const pugi::xml_node& record, Document& document) {
    document.id = record.attribute("pn").value();
    if (document.id.empty()) document.id = record.attribute("an").value();

    std::vector<std::string> symbols;
    std::string parts[4];  // title, abstract, claims, description
    collect(record, symbols, parts);
    for (const std::string& symbol : symbols) add_symbol(symbol, document);
    if (document.labels.empty()) {
      notes_.skipped("records without a valid IPC symbol", place_);
      return false;
    }
    document.text.emplace();
    for (const std::string& part : parts) {
      if (!document.text->empty() && !part.empty()) *document.text += '\n';
      *document.text += part;
    }
    if (document.text->empty()) {
      notes_.skipped(fmt::format("records without a text in the language {}", language_), place_);
      return false;
    }
    return true;
  }

  /// The texts stand in groups (<tis><ti>…) or directly in the record; both are found.
  void collect(const pugi::xml_node& node, std::vector<std::string>& symbols,
               std::string (&parts)[4]) const {
    constexpr std::string_view kParts[4] = {"ti", "ab", "cl", "txt"};
    for (const pugi::xml_node& child : node.children()) {
      const std::string_view name = child.name();
      if (name == "ipcs" && child.attribute("mc"))
        symbols.emplace_back(child.attribute("mc").value());
      if (name == "ipc" && child.attribute("ic"))
        symbols.emplace_back(child.attribute("ic").value());
      const auto part = std::find(std::begin(kParts), std::end(kParts), name);
      if (part == std::end(kParts)) {
        collect(child, symbols, parts);
      } else if (is_wanted_language(child)) {
        std::string& text = parts[part - std::begin(kParts)];
        if (!text.empty()) text += '\n';
        text += trim(all_text(child));
      }
    }
  }

  bool is_wanted_language(const pugi::xml_node& node) const {
    pugi::xml_attribute language = node.attribute("xml:lang");
    if (!language) language = node.attribute("lang");
    return !language || lower_ascii(language.value()) == language_;
  }

  void add_symbol(const std::string& symbol, Document& document) {
    if (trim(symbol).empty()) return;
    const std::vector<std::string> labels = ipc_labels(symbol);
    if (labels.empty()) {
      notes_.skipped("IPC symbols that cannot be read", place_);
      return;
    }
    for (std::size_t i = 0; i < labels.size(); ++i) {
      edges_.add(labels[i], i == 0 ? "" : labels[i - 1], place_);
    }
    document.labels.push_back(labels.back());
  }

  std::vector<std::string> files_;
  std::string language_;
  EdgeCollector& edges_;
  Notes& notes_;
  std::size_t next_file_ = 0;
  std::unique_ptr<RecordReader> reader_;
  Place place_;
};

class WipoImporter : public Importer {
 public:
  explicit WipoImporter(const ImportOptions& options)
      : inputs_(options.inputs), language_(options.language) {}
  std::size_t num_inputs() const override { return inputs_.size(); }
  std::unique_ptr<DocumentSource> open(std::size_t input, Notes& notes) override {
    return std::make_unique<WipoSource>(inputs_[input], language_, edges_, notes);
  }
  std::vector<HierarchyEdge> edges(Notes&) override { return edges_.edges(); }

 private:
  std::vector<std::string> inputs_;
  std::string language_;
  EdgeCollector edges_;
};

}  // namespace

std::unique_ptr<Importer> make_wipo_alpha_importer(const ImportOptions& options, Notes&) {
  return std::make_unique<WipoImporter>(options);
}

}  // namespace hmtc
