// RCV1 in SVM-light lines: "label,label id:weight id:weight …". The weights are not kept: a data
// directory holds words. How often a term stands in a document is lost with them.

#include <fmt/format.h>

#include <set>
#include <unordered_map>
#include <unordered_set>

#include "base/line_reader.h"
#include "base/strings.h"
#include "import/edge_collector.h"
#include "import/importer.h"
#include "import/taxonomy.h"

namespace hmtc {
namespace {

using TermWords = std::unordered_map<std::string, std::string>;

struct TermColumns {
  std::size_t id = 0;
  std::size_t word = 0;
  std::size_t confident = 0;
  std::size_t count = 0;
};

TermColumns find_columns(std::string_view header, const Place& place) {
  const auto names = split_fields(header, '\t');
  const auto column = [&](std::string_view name) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (trim(names[i]) == name) return i;
    }
    throw input_error(
        place, {"a header with the columns termid, surface_word and confident",
                in_quotes(std::string(header)),
                fmt::format("name the column {} in the first line", in_quotes(std::string(name)))});
  };
  return {column("termid"), column("surface_word"), column("confident"), names.size()};
}

/// Term ids with their words, of the rows marked as confident.
TermWords read_term_words(const std::string& path) {
  LineReader reader(path);
  std::string_view line;
  if (!reader.next(line)) {
    throw input_error({path}, {"a header with the names of the columns", "an empty file",
                               "name the table of the term ids"});
  }
  const TermColumns columns = find_columns(line, reader.place());
  TermWords words;
  while (reader.next(line)) {
    const auto fields = split_fields(line, '\t');
    if (fields.size() != columns.count) {
      throw input_error(reader.place(),
                        {fmt::format("{} columns", columns.count), fmt::format("{}", fields.size()),
                         "separate the columns by one tab each"});
    }
    if (!is_utf8(std::string(line))) {
      throw input_error(reader.place(),
                        {"UTF-8", "bytes that are not", "convert the file to UTF-8 (iconv)"});
    }
    if (trim(fields[columns.confident]) != "1") continue;
    words.emplace(trim(fields[columns.id]), trim(fields[columns.word]));
  }
  return words;
}

using LabelSet = std::unordered_set<std::string>;

/// The labels that a document may have, those that are taken from it, and those that were seen.
struct Rcv1Labels {
  bool open = false;  ///< without a taxonomy every label is a top label
  LabelSet known;
  LabelSet dropped;
  LabelSet used;
};

class Rcv1Source : public DocumentSource {
 public:
  Rcv1Source(const std::string& path, const TermWords& words, Rcv1Labels& labels, Notes& notes)
      : reader_(path), words_(words), labels_(labels), notes_(notes) {}
  Place place() const override { return reader_.place(); }

  bool next(Document& document) override {
    std::string_view line;
    do {
      if (!reader_.next(line)) return false;
      line = line.substr(0, line.find('#'));
    } while (trim(line).empty());
    const bool has_labels = line.front() != ' ' && line.front() != '\t';
    const auto fields = split_words(line);
    if (has_labels) read_labels(fields.front(), document);
    document.tokens.emplace();
    for (std::size_t i = has_labels ? 1 : 0; i < fields.size(); ++i) {
      document.tokens->push_back(read_term(fields[i]));
    }
    return true;
  }

 private:
  void read_labels(std::string_view field, Document& document) {
    for (const std::string_view name : split_fields(field, ',')) {
      const std::string label(name);
      if (labels_.dropped.contains(label)) {
        notes_.skipped("labels that were to be dropped, with those below them", place());
        continue;
      }
      if (label.empty() || label.find(':') != std::string::npos ||
          (!labels_.open && !labels_.known.contains(label))) {
        throw input_error(
            place(), {"label,label id:weight … with labels of the taxonomy",
                      "the label " + in_quotes(label), "add it to the taxonomy, or mend the line"});
      }
      labels_.used.insert(label);
      document.labels.push_back(label);
    }
  }

  std::string read_term(std::string_view field) const {
    const std::size_t colon = std::min(field.find(':'), field.size());
    const std::string id(field.substr(0, colon));
    if (!is_digits(id) || colon == field.size() || !parse_number(field.substr(colon + 1))) {
      throw input_error(place(), {"a term id:weight", in_quotes(std::string(field)),
                                  "separate the terms by blanks, labels by commas"});
    }
    const auto word = words_.find(id);
    return word == words_.end() ? "t" + id : word->second;
  }

  LineReader reader_;
  const TermWords& words_;
  Rcv1Labels& labels_;
  Notes& notes_;
};

class Rcv1Importer : public Importer {
 public:
  Rcv1Importer(const ImportOptions& options, Notes& notes) : inputs_(options.inputs) {
    if (!options.term_words.empty()) words_ = read_term_words(options.term_words);
    labels_.open = options.taxonomy.empty();
    if (!labels_.open) {
      taxonomy_ = read_taxonomy(options.taxonomy, notes).edges();
      for (const HierarchyEdge& edge : taxonomy_) labels_.known.insert(edge.label);
    }
    drop(options);
  }

  std::size_t num_inputs() const override { return inputs_.size(); }

  std::unique_ptr<DocumentSource> open(std::size_t input, Notes& notes) override {
    return std::make_unique<Rcv1Source>(inputs_[input], words_, labels_, notes);
  }

  std::vector<HierarchyEdge> edges(Notes& notes) override {
    if (labels_.open) return flat_edges();
    std::vector<HierarchyEdge> kept;
    for (const HierarchyEdge& edge : taxonomy_) {
      if (!labels_.dropped.contains(edge.label)) kept.push_back(edge);
    }
    const std::vector<HierarchyEdge> used = used_edges(kept, labels_.used);
    LabelSet used_names;
    for (const HierarchyEdge& edge : used) used_names.insert(edge.label);
    for (const HierarchyEdge& edge : kept) {
      if (used_names.insert(edge.label).second) {
        notes.skipped("labels of the taxonomy without any document", edge.place);
      }
    }
    return used;
  }

 private:
  /// Marks the labels to drop and everything below them.
  void drop(const ImportOptions& options) {
    for (const std::string& label : options.drop_labels) {
      if (!labels_.open && !labels_.known.contains(label)) {
        throw Error(ErrorKind::kUsage,
                    fmt::format("--drop-label: expected a label of {}, found {}; check the name",
                                options.taxonomy, in_quotes(label)));
      }
      labels_.dropped.insert(label);
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (const HierarchyEdge& edge : taxonomy_) {
        if (labels_.dropped.contains(edge.parent)) {
          changed |= labels_.dropped.insert(edge.label).second;
        }
      }
    }
  }

  std::vector<HierarchyEdge> flat_edges() const {
    const std::set<std::string> sorted(labels_.used.begin(), labels_.used.end());
    std::vector<HierarchyEdge> edges;
    for (const std::string& label : sorted) edges.push_back({label, {}, {}, {inputs_.front()}});
    return edges;
  }

  std::vector<std::string> inputs_;
  TermWords words_;
  std::vector<HierarchyEdge> taxonomy_;
  Rcv1Labels labels_;
};

}  // namespace

std::unique_ptr<Importer> make_rcv1_svm_importer(const ImportOptions& options, Notes& notes) {
  return std::make_unique<Rcv1Importer>(options, notes);
}

}  // namespace hmtc
