// CLUS hierarchical ARFF: numeric attributes named after words, and one attribute of type
// "hierarchical a,a/b,…" whose values are label paths joined by "@".

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/line_reader.h"
#include "base/strings.h"
#include "import/edge_collector.h"
#include "import/importer.h"

namespace hmtc {
namespace {

struct ArffHeader {
  std::vector<std::string> names;  ///< of all attributes
  std::size_t class_index = 0;
  std::vector<std::string> declared;  ///< label paths, as the class attribute lists them
  Place class_place;
};

std::string unquoted(std::string_view text) {
  const bool is_quoted = text.size() >= 2 && text.front() == text.back() &&
                         (text.front() == '\'' || text.front() == '"');
  return std::string(is_quoted ? text.substr(1, text.size() - 2) : text);
}

/// Takes a name, quoted or up to the next blank, from the front of the text.
std::string take_name(std::string_view& text, const Place& place) {
  std::string name;
  if (!text.empty() && (text.front() == '\'' || text.front() == '"')) {
    std::size_t end = 1;
    for (; end < text.size() && text[end] != text.front(); ++end) {
      if (text[end] == '\\' && end + 1 < text.size()) ++end;
      name += text[end];
    }
    if (end == text.size()) {
      throw input_error(place, {"a closing quote after the attribute's name",
                                in_quotes(std::string(text)), "quote the name on both sides"});
    }
    text.remove_prefix(end + 1);
  } else {
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    name = text.substr(0, end);
    text.remove_prefix(end);
  }
  text = trim(text);
  return name;
}

/// Takes a keyword such as "@attribute" from the front of the text; it is given in lower case.
std::string take_keyword(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  const std::string keyword = lower_ascii(text.substr(0, end));
  text = trim(text.substr(end));
  return keyword;
}

void add_attribute(std::string_view declaration, const Place& place, ArffHeader& header) {
  std::string_view rest = declaration;
  const std::string name = take_name(rest, place);
  if (name.empty() || rest.empty()) {
    throw input_error(place, {"@attribute NAME TYPE", in_quotes(std::string(declaration)),
                              "give the attribute a name and a type"});
  }
  std::string_view list = rest;
  const std::string type = take_keyword(list);
  if (type == "hierarchical") {
    if (!header.declared.empty()) {
      throw input_error(place, {"one hierarchical attribute", "a second one, " + in_quotes(name),
                                "keep the class attribute only"});
    }
    header.class_index = header.names.size();
    header.class_place = place;
    for (const std::string_view path : split_fields(list, ',')) {
      header.declared.emplace_back(trim(path));
    }
  } else if (type != "numeric" && type != "real" && type != "integer" && rest.front() != '{') {
    throw input_error(place, {"a numeric or hierarchical attribute",
                              in_quotes(name) + " of type " + in_quotes(type),
                              "turn it into a numeric attribute or remove it"});
  }
  header.names.push_back(name);
}

/// Reads up to the line after @data.
ArffHeader read_header(LineReader& reader) {
  ArffHeader header;
  std::string_view line;
  while (reader.next(line)) {
    std::string_view rest = trim(line);
    if (rest.empty() || rest.front() == '%') continue;
    const std::string keyword = take_keyword(rest);
    if (keyword == "@relation") continue;
    if (keyword == "@data") {
      if (!header.declared.empty()) return header;
      throw input_error(reader.place(),
                        {"an attribute of type hierarchical before @data", "none",
                         "declare the labels: @attribute class hierarchical a,a/b"});
    }
    if (keyword != "@attribute") {
      throw input_error(reader.place(), {"@relation, @attribute or @data",
                                         in_quotes(std::string(line)), "check that this is ARFF"});
    }
    add_attribute(rest, reader.place(), header);
  }
  throw input_error({reader.place().file}, {"a line @data", "the end of the file",
                                            "check that the file is ARFF and whole"});
}

class ArffSource : public DocumentSource {
 public:
  ArffSource(const std::string& path, Notes& notes)
      : reader_(path), header_(read_header(reader_)), notes_(notes) {
    for (const std::string& path_label : header_.declared) {
      labels_.insert(edges_.add_path(path_label, "/", header_.class_place));
    }
    for (const HierarchyEdge& edge : edges_.edges()) labels_.insert(edge.label);
  }

  const EdgeCollector& edges() const { return edges_; }
  const std::set<std::string>& labels() const { return labels_; }
  const Place& class_place() const { return header_.class_place; }
  Place place() const override { return reader_.place(); }

  bool next(Document& document) override {
    std::string_view line;
    do {
      if (!reader_.next(line)) return false;
      line = trim(line);
    } while (line.empty() || line.front() == '%');
    document.tokens.emplace();
    if (line.front() == '{') {
      read_sparse(line, document);
    } else {
      read_dense(line, document);
    }
    return true;
  }

 private:
  void read_dense(std::string_view line, Document& document) {
    const auto values = split_fields(line, ',');
    if (values.size() != header_.names.size()) {
      throw input_error(
          place(), {fmt::format("{} values, one per attribute", header_.names.size()),
                    fmt::format("{}", values.size()), "check the row for missing or extra commas"});
    }
    for (std::size_t i = 0; i < values.size(); ++i) read_value(i, trim(values[i]), document);
  }

  void read_sparse(std::string_view line, Document& document) {
    if (line.back() != '}') {
      throw input_error(place(), {"a closing } at the end of a sparse row",
                                  in_quotes(std::string(line)), "end the row with }"});
    }
    line = trim(line.substr(1, line.size() - 2));
    if (line.empty()) return;
    // The values must be given in the order of the attributes, as the ARFF definition says.
    std::size_t next_index = 0;
    for (const std::string_view pair : split_fields(line, ',')) {
      std::string_view value = trim(pair);
      const std::string index_text = take_keyword(value);
      const auto index = is_digits(index_text) ? parse_number(index_text) : std::nullopt;
      if (!index || *index < static_cast<double>(next_index) ||
          *index >= static_cast<double>(header_.names.size()) || value.empty()) {
        throw input_error(place(), {fmt::format("INDEX VALUE with ascending indices below {}",
                                                header_.names.size()),
                                    in_quotes(std::string(pair)), "mend the sparse row"});
      }
      const auto attribute = static_cast<std::size_t>(*index);
      read_value(attribute, value, document);
      next_index = attribute + 1;
    }
  }

  void read_value(std::size_t attribute, std::string_view value, Document& document) {
    if (attribute == header_.class_index) {
      read_labels(unquoted(value), document);
      return;
    }
    if (value == "0") return;
    if (value == "?") {
      notes_.repaired("missing values (?), taken as 0", place());
      return;
    }
    const auto number = parse_number(unquoted(value));
    if (!number) {
      throw input_error(place(), {"a number for attribute " + in_quotes(header_.names[attribute]),
                                  in_quotes(std::string(value)), "mend the value"});
    }
    if (*number > 0) document.tokens->push_back(header_.names[attribute]);
  }

  void read_labels(const std::string& value, Document& document) {
    if (value.empty() || value == "?") return;
    for (const std::string_view label : split_fields(value, '@')) {
      document.labels.emplace_back(trim(label));
      if (labels_.contains(document.labels.back())) continue;
      throw input_error(
          place(), {"a label that the class attribute declares", in_quotes(document.labels.back()),
                    "declare it in the header or mend the row"});
    }
  }

  LineReader reader_;
  ArffHeader header_;
  Notes& notes_;
  EdgeCollector edges_;
  std::set<std::string> labels_;  ///< the declared ones with all above them
};

class ClusArffImporter : public Importer {
 public:
  explicit ClusArffImporter(const std::vector<std::string>& inputs) : inputs_(inputs) {}
  std::size_t num_inputs() const override { return inputs_.size(); }

  std::unique_ptr<DocumentSource> open(std::size_t input, Notes& notes) override {
    auto source = std::make_unique<ArffSource>(inputs_[input], notes);
    if (labels_.empty()) {
      edges_ = source->edges();
      labels_ = source->labels();
    } else if (labels_ != source->labels()) {
      throw input_error(source->class_place(),
                        {"the hierarchy that " + inputs_.front() + " declares", "another one",
                         "use files of one data set, with the same class attribute"});
    }
    return source;
  }

  std::vector<HierarchyEdge> edges(Notes&) override { return edges_.edges(); }

 private:
  std::vector<std::string> inputs_;
  EdgeCollector edges_;
  std::set<std::string> labels_;
};

}  // namespace

std::unique_ptr<Importer> make_clus_arff_importer(const ImportOptions& options, Notes&) {
  return std::make_unique<ClusArffImporter>(options.inputs);
}

}  // namespace hmtc
