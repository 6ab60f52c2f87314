#include "import/import.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_set>

#include "base/files.h"
#include "base/strings.h"
#include "data/data_directory_writer.h"
#include "hierarchy/hierarchy_file.h"
#include "import/document_check.h"
#include "import/importer.h"
#include "import/option_check.h"
#include "import/split_assignment.h"

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
                          in_quotes(name)));
}

/// What the ids of an input's documents begin with: its name without extensions, and a number where
/// inputs of several directories have the same name. Ids are UTF-8, file names need not be.
std::vector<std::string> input_names(const std::vector<std::string>& inputs) {
  std::vector<std::string> names;
  std::map<std::string, int> uses;
  for (const std::string& input : inputs) {
    const fs::path path(input);
    fs::path stem = path.has_filename() ? path.stem() : path.parent_path().stem();
    if (path.extension() == ".gz") stem = stem.stem();
    if (!is_utf8(stem.string())) stem = "input";
    const int use = ++uses[stem.string()];
    names.push_back(use == 1 ? stem.string() : fmt::format("{}.{}", stem.string(), use));
  }
  return names;
}

/// The first reading: counts the documents of every input and checks them.
std::vector<std::size_t> survey(Importer& importer, const ImportOptions& options, Notes& notes) {
  std::vector<std::size_t> counts;
  std::unordered_set<std::size_t> ids;  // their hashes, which is enough to count repetitions
  for (std::size_t input = 0; input < importer.num_inputs(); ++input) {
    const auto source = importer.open(input, notes);
    std::size_t count = 0;
    for (Document document; source->next(document); document = {}) {
      check_document(document, source->place());
      if (has_no_word(document)) notes.kept("documents without a word", source->place());
      if (document.labels.empty()) notes.kept("documents without a label", source->place());
      if (!document.id.empty() && !ids.insert(std::hash<std::string>{}(document.id)).second) {
        notes.kept("documents with the id of another one", source->place());
      }
      ++count;
    }
    if (count == 0) {
      std::string found = "none";
      for (const ImportNote& note : notes.all()) {
        if (note.kind == ImportNote::Kind::kSkipped) {
          found += fmt::format("; skipped: {} {}", note.count, note.what);
        }
      }
      throw input_error({options.inputs[input]}, {"at least one document", found,
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
      throw input_error(place, {"a label of the hierarchy", in_quotes(label),
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
  const std::vector<std::string> names = input_names(options.inputs);
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
      if (document.id.empty()) document.id = fmt::format("{}-{}", names[input], row);
      num_labels += hierarchy.closure(label_ids(document, hierarchy, source->place())).size();
      files.write(splits[input][row], document);
    }
  }
  return num_labels;
}

}  // namespace

ImportReport import_data(const ImportOptions& options) try {
  const FormatRow& format = find_format(options.format);
  check_options(options);
  if (!options.split && format.inputs_are_splits) check_number_of_splits(options.inputs.size());
  Notes notes;
  const auto importer = format.make(options, notes);

  const std::vector<std::size_t> counts = survey(*importer, options, notes);
  const std::vector<HierarchyEdge> edges = importer->edges(notes);
  for (const HierarchyEdge& edge : edges) check_label(edge.label, edge.place);
  if (edges.empty()) {
    throw input_error({options.inputs.front()}, {"documents with labels", "no label at all",
                                                 "check that the file is what the format says"});
  }
  const Hierarchy hierarchy(edges);
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
} catch (const fs::filesystem_error& error) {
  throw Error(ErrorKind::kIo, error.what());
}

std::vector<ImportFormat> import_formats() {
  std::vector<ImportFormat> formats;
  for (const FormatRow& format : kFormats) formats.push_back({format.name, format.description});
  return formats;
}

std::string to_text(const ImportReport& report) {
  std::string text = fmt::format("documents: {} train, {} val, {} test\n", report.train_documents,
                                 report.val_documents, report.test_documents);
  if (report.val_documents == 0) text += "warning: no document for val\n";
  if (report.test_documents == 0) text += "warning: no document for test\n";
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
