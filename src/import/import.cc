#include "import/import.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "base/files.h"
#include "data/data_directory_writer.h"
#include "hierarchy/hierarchy_file.h"
#include "import/importer.h"
#include "import/split_assignment.h"
#include "import/strings.h"

namespace hmtc {
namespace fs = std::filesystem;
namespace {

struct FormatRow {
  const char* name;
  const char* description;
  bool inputs_are_splits;  ///< otherwise all inputs make one collection, divided by chance
  std::unique_ptr<Importer> (*make)(const ImportOptions&, Notes&);
};

constexpr FormatRow kFormats[] = {
    {"clus-arff", "CLUS hierarchical ARFF: word attributes, a class attribute with the tree", true,
     make_clus_arff_importer},
    {"lahcn-json", "JSON lines of the LA-HCN and HARNN authors: words, label ids per level", true,
     make_lahcn_json_importer},
    {"bgc", "BlurbGenreCollection and GermEval 2019: book blurbs with topics", true,
     make_bgc_importer},
    {"wipo-alpha", "WIPO-alpha: patents as XML records with IPC symbols", true,
     make_wipo_alpha_importer},
    {"rcv1-svm", "RCV1 in SVM-light lines (label,label id:weight …) with a topic taxonomy", true,
     make_rcv1_svm_importer},
    {"fasttext", "fastText lines: __label__a/b words …", true, make_fasttext_importer},
    {"csv", "separated values with a header: text columns and a column of label paths", true,
     make_csv_importer},
    {"debtags", "apt package lists: English descriptions with the tags of the packages", false,
     make_debtags_importer},
};

/// For formats whose inputs are no splits.
constexpr std::array<double, 3> kDefaultSplit = {60, 20, 20};

const FormatRow& find_format(const std::string& name) {
  std::string known;
  for (const FormatRow& format : kFormats) {
    if (name == format.name) return format;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", format.name);
  }
  throw Error(ErrorKind::kUsage,
              fmt::format("import: expected a format ({}), found {}; name one of them", known,
                          quoted(name)));
}

/// Inputs are read twice, so they must still be there the second time.
void check_inputs(const std::vector<std::string>& inputs) {
  if (inputs.empty()) {
    throw Error(ErrorKind::kUsage, "import: expected at least one input, found none; name a file");
  }
  for (const std::string& input : inputs) {
    if (input != "-" && !fs::exists(input)) {
      errno = ENOENT;
      throw io_error("open", input);
    }
    if (input == "-" || (!fs::is_regular_file(input) && !fs::is_directory(input))) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("import: expected files, found {}; inputs are read twice, so save a "
                              "stream to a file first",
                              input == "-" ? "standard input" : quoted(input)));
    }
  }
}

std::string document_id(const std::string& input, std::size_t row) {
  const fs::path path(input);
  fs::path stem = path.has_filename() ? path.stem() : path.parent_path().stem();
  if (path.extension() == ".gz") stem = stem.stem();
  return fmt::format("{}-{}", stem.string(), row);
}

bool is_utf8(const std::string& text) { return simdjson::validate_utf8(text.data(), text.size()); }

void check_document(const Document& document, const Place& place) {
  bool utf8 = is_utf8(document.id) && (!document.text || is_utf8(*document.text));
  if (document.tokens)
    utf8 &= std::all_of(document.tokens->begin(), document.tokens->end(), is_utf8);
  utf8 &= std::all_of(document.labels.begin(), document.labels.end(), is_utf8);
  if (!utf8) {
    throw input_error(place, {"UTF-8", "bytes that are not", "convert the file to UTF-8 (iconv)"});
  }
  for (const std::string& label : document.labels) {
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20; };
    if (trim(label).empty() || std::any_of(label.begin(), label.end(), is_control)) {
      throw input_error(place, {"a label without tabs, line breaks or other control characters",
                                quoted(label), "mend the label in the source"});
    }
  }
}

bool has_no_word(const Document& document) {
  return document.tokens ? document.tokens->empty() : trim(document.text.value_or("")).empty();
}

/// The first reading: counts the documents of every input and checks them.
std::vector<std::size_t> survey(Importer& importer, const ImportOptions& options, Notes& notes) {
  std::vector<std::size_t> counts;
  for (std::size_t input = 0; input < importer.num_inputs(); ++input) {
    const auto source = importer.open(input, notes);
    std::size_t count = 0;
    for (Document document; source->next(document); document = {}) {
      check_document(document, source->place());
      if (has_no_word(document)) notes.kept("documents without a word", source->place());
      if (document.labels.empty()) notes.kept("documents without a label", source->place());
      ++count;
    }
    if (count == 0) {
      throw input_error({options.inputs[input]}, {"at least one document", "none",
                                                  "check that the file is what the format says"});
    }
    counts.push_back(count);
  }
  return counts;
}

/// The split files of a data directory; those that get documents appear under their names in
/// close(), those that get none are removed.
class SplitFiles {
 public:
  explicit SplitFiles(const fs::path& out)
      : paths_{out / "train.jsonl", out / "val.jsonl", out / "test.jsonl"} {}

  void write(Split split, const Document& document) {
    auto& writer = writers_[static_cast<std::size_t>(split)];
    if (!writer) writer = std::make_unique<SplitWriter>(paths_[static_cast<std::size_t>(split)]);
    writer->write(document);
  }

  void close() {
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      if (writers_[i]) {
        writers_[i]->close();
      } else {
        fs::remove(paths_[i]);
      }
    }
  }

  std::size_t count(Split split) const {
    const auto& writer = writers_[static_cast<std::size_t>(split)];
    return writer ? writer->count() : 0;
  }

 private:
  std::array<fs::path, 3> paths_;
  std::array<std::unique_ptr<SplitWriter>, 3> writers_;
};

/// The ids of the document's labels; labels that stand there twice are removed from it.
std::vector<LabelId> label_ids(Document& document, const Hierarchy& hierarchy, const Place& place) {
  std::vector<LabelId> ids;
  std::vector<std::string> labels;
  for (std::string& label : document.labels) {
    const LabelId id = hierarchy.find(label);
    if (id < 0) {
      throw input_error(place, {"a label of the hierarchy", hmtc::quoted(label),
                                "add it to the hierarchy or mend the document"});
    }
    if (std::find(ids.begin(), ids.end(), id) != ids.end()) continue;
    ids.push_back(id);
    labels.push_back(std::move(label));
  }
  document.labels = std::move(labels);
  return ids;
}

/// The second reading: writes every document to its split. Gives the number of labels of all
/// documents, ancestors included.
std::size_t write_documents(Importer& importer, const ImportOptions& options,
                            const Hierarchy& hierarchy, const std::vector<SplitOfRow>& splits,
                            SplitFiles& files) {
  std::size_t num_labels = 0;
  Notes already_noted;
  for (std::size_t input = 0; input < importer.num_inputs(); ++input) {
    const auto source = importer.open(input, already_noted);
    Document document;
    for (std::size_t row = 0; row < splits[input].size(); ++row, document = {}) {
      if (!source->next(document)) {
        throw input_error(source->place(), {"the documents of the first reading", "fewer",
                                            "do not change the inputs during the import"});
      }
      if (document.id.empty()) document.id = document_id(options.inputs[input], row);
      num_labels += hierarchy.closure(label_ids(document, hierarchy, source->place())).size();
      files.write(splits[input][row], document);
    }
  }
  return num_labels;
}

void check_split(const std::array<double, 3>& split) {
  double sum = 0;
  for (const double percentage : split) sum += percentage;
  const bool valid = split[0] > 0 && split[1] >= 0 && split[2] >= 0 && std::abs(sum - 100) < 1e-6;
  if (valid) return;
  throw Error(ErrorKind::kUsage,
              fmt::format("--split: expected percentages train/val/test with the sum 100, none "
                          "negative and train above 0, found {}/{}/{}; for example 60/20/20",
                          split[0], split[1], split[2]));
}

}  // namespace

ImportReport import_data(const ImportOptions& options) {
  const FormatRow& format = find_format(options.format);
  check_inputs(options.inputs);
  if (options.split) check_split(*options.split);
  Notes notes;
  const auto importer = format.make(options, notes);

  const std::vector<std::size_t> counts = survey(*importer, options, notes);
  const Hierarchy hierarchy(importer->edges(notes));
  const bool pooled = options.split || !format.inputs_are_splits;
  const std::vector<SplitOfRow> splits =
      pooled ? assign_pooled(counts, options.split.value_or(kDefaultSplit), options.seed)
             : assign_by_input(counts, options.seed);

  fs::create_directories(options.out);
  SplitFiles files(options.out);
  const std::size_t num_labels = write_documents(*importer, options, hierarchy, splits, files);
  write_file_atomically(options.out / "hierarchy.tsv", to_tsv(hierarchy));
  files.close();

  ImportReport report;
  report.train_documents = files.count(Split::kTrain);
  report.val_documents = files.count(Split::kVal);
  report.test_documents = files.count(Split::kTest);
  report.shape = hierarchy.shape();
  const std::size_t total = report.train_documents + report.val_documents + report.test_documents;
  report.labels_per_document = static_cast<double>(num_labels) / static_cast<double>(total);
  report.notes = notes.all();
  return report;
}

std::vector<ImportFormat> import_formats() {
  std::vector<ImportFormat> formats;
  for (const FormatRow& format : kFormats) formats.push_back({format.name, format.description});
  return formats;
}

std::array<double, 3> parse_split(const std::string& text) {
  const auto parts = split_fields(text, '/');
  std::array<double, 3> split{};
  bool valid = parts.size() == split.size();
  for (std::size_t i = 0; valid && i < split.size(); ++i) {
    const auto number = parse_number(trim(parts[i]));
    valid = number.has_value();
    split[i] = number.value_or(0);
  }
  if (!valid) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--split: expected three percentages joined by /, found {}; for "
                            "example 60/20/20",
                            quoted(text)));
  }
  check_split(split);
  return split;
}

std::string to_text(const ImportReport& report) {
  std::string text = fmt::format("documents: {} train, {} val, {} test\n", report.train_documents,
                                 report.val_documents, report.test_documents);
  text += fmt::format("labels per level: {}; labels per document, ancestors included: {:.2f}\n",
                      report.shape, report.labels_per_document);
  for (const ImportNote& note : report.notes) {
    const char* kind = note.kind == ImportNote::Kind::kSkipped    ? "skipped"
                       : note.kind == ImportNote::Kind::kRepaired ? "repaired"
                                                                  : "kept";
    text += fmt::format("{}: {} {} (first: {})\n", kind, note.count, note.what, note.first_place);
  }
  return text;
}

}  // namespace hmtc
