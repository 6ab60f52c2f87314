// Separated values with a header: some columns hold the text, one the labels as paths.

#include <fmt/format.h>

#include "base/strings.h"
#include "import/csv_reader.h"
#include "import/edge_collector.h"
#include "import/importer.h"

namespace hmtc {
namespace {

struct CsvLayout {
  char delimiter = ',';
  std::vector<std::string> text_columns;
  std::string label_column;
  std::string id_column;
  std::string label_separator;
  std::string path_separator;
};

CsvLayout make_layout(const ImportOptions& options) {
  const auto usage = [](const std::string& option, const std::string& expected,
                        const std::string& found) {
    return Error(ErrorKind::kUsage, fmt::format("{}: expected {}, found {}; change the option",
                                                option, expected, in_quotes(found)));
  };
  const std::string& delimiter = options.delimiter;
  if (delimiter != "tab" && (delimiter.size() != 1 || delimiter == "\"" || delimiter == "\n")) {
    throw usage("--delimiter", "one character or \"tab\"", delimiter);
  }
  if (options.label_separator.empty()) {
    throw usage("--label-separator", "at least one character", "");
  }
  if (options.path_separator.empty()) throw usage("--path-separator", "at least one character", "");
  CsvLayout layout{delimiter == "tab" ? '\t' : delimiter.front(),
                   {},
                   options.label_column,
                   options.id_column,
                   options.label_separator,
                   options.path_separator};
  for (const std::string_view name : split_fields(options.text_columns, ',')) {
    if (trim(name).empty()) {
      throw usage("--text-columns", "names of columns joined by commas", options.text_columns);
    }
    layout.text_columns.emplace_back(trim(name));
  }
  return layout;
}

class CsvSource : public DocumentSource {
 public:
  CsvSource(const std::string& path, const CsvLayout& layout, EdgeCollector& edges)
      : reader_(path, layout.delimiter), layout_(layout), edges_(edges) {
    if (!reader_.next(header_)) {
      throw input_error({path}, {"a header with the names of the columns", "an empty file",
                                 "add a first line with the names"});
    }
    for (const std::string& name : layout.text_columns) text_columns_.push_back(column(name));
    label_column_ = column(layout.label_column);
    if (!layout.id_column.empty()) id_column_ = column(layout.id_column);
  }

  Place place() const override { return reader_.place(); }

  bool next(Document& document) override {
    std::vector<std::string> fields;
    if (!reader_.next(fields)) return false;
    if (fields.size() != header_.size()) {
      throw input_error(place(),
                        {fmt::format("{} columns as in the header", header_.size()),
                         fmt::format("{}", fields.size()), "quote fields that hold the delimiter"});
    }
    if (id_column_) document.id = trim(fields[*id_column_]);
    document.text.emplace();
    for (const std::size_t text_column : text_columns_) {
      if (!document.text->empty()) *document.text += ' ';
      *document.text += fields[text_column];
    }
    add_labels(fields[label_column_], document);
    return true;
  }

 private:
  std::size_t column(const std::string& name) const {
    std::string known;
    for (std::size_t i = 0; i < header_.size(); ++i) {
      if (trim(header_[i]) == name) return i;
      known += (i == 0 ? "" : ", ") + header_[i];
    }
    throw input_error(place(),
                      {"a column named " + in_quotes(name), "the columns " + in_quotes(known),
                       "name the columns that the file has (--text-columns, "
                       "--label-column, --id-column, --delimiter)"});
  }

  void add_labels(std::string_view cell, Document& document) {
    for (std::size_t end = 0; end != std::string_view::npos;) {
      end = cell.find(layout_.label_separator);
      const std::string_view path = trim(cell.substr(0, end));
      if (!path.empty()) {
        document.labels.push_back(edges_.add_path(path, layout_.path_separator, place()));
      }
      if (end != std::string_view::npos) cell.remove_prefix(end + layout_.label_separator.size());
    }
  }

  CsvReader reader_;
  const CsvLayout& layout_;
  EdgeCollector& edges_;
  std::vector<std::string> header_;
  std::vector<std::size_t> text_columns_;
  std::size_t label_column_ = 0;
  std::optional<std::size_t> id_column_;
};

class CsvImporter : public Importer {
 public:
  explicit CsvImporter(const ImportOptions& options)
      : inputs_(options.inputs), layout_(make_layout(options)) {}
  std::size_t num_inputs() const override { return inputs_.size(); }
  std::unique_ptr<DocumentSource> open(std::size_t input, Notes&) override {
    return std::make_unique<CsvSource>(inputs_[input], layout_, edges_);
  }
  std::vector<HierarchyEdge> edges(Notes&) override { return edges_.edges(); }

 private:
  std::vector<std::string> inputs_;
  CsvLayout layout_;
  EdgeCollector edges_;
};

}  // namespace

std::unique_ptr<Importer> make_csv_importer(const ImportOptions& options, Notes&) {
  return std::make_unique<CsvImporter>(options);
}

}  // namespace hmtc
