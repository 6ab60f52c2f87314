#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace hmtc {

/// What to import and how. docs/importers.md explains every field with its format.
struct ImportOptions {
  std::string format;               ///< a name that import_formats() gives
  std::vector<std::string> inputs;  ///< files; directories too for wipo-alpha and debtags
  std::filesystem::path out;        ///< the data directory; made when it does not exist

  /// Percentages for train, val and test of all inputs together. Without it every input is a
  /// split, in the order train, [val,] test, and a missing val is cut from train.
  std::optional<std::array<double, 3>> split;
  std::uint64_t seed = 0;  ///< decides which documents go where

  std::string taxonomy;                  ///< rcv1-svm, bgc: a file parent<TAB>child…
  std::vector<std::string> drop_labels;  ///< rcv1-svm: labels removed with all below them
  std::string term_words;                ///< rcv1-svm: a table from term ids to words
  std::string language = "EN";           ///< wipo-alpha: whose texts are taken
  std::size_t min_documents = 20;        ///< debtags: labels with fewer documents are dropped

  std::string text_columns = "text";    ///< csv: one or more names, joined by commas
  std::string label_column = "labels";  ///< csv
  std::string id_column;                ///< csv: empty for ids made from the row
  std::string delimiter = ",";          ///< csv: one character, or "tab"
  std::string label_separator = ";";    ///< csv: between the labels of a document
  std::string path_separator = "/";     ///< csv: between the steps of a label
};

/// Something that happened to `count` records, and where it happened first.
struct ImportNote {
  enum class Kind {
    kSkipped,   ///< left out of the data directory
    kRepaired,  ///< changed or decided for the source
    kKept,      ///< taken as it is, but worth knowing
  };
  Kind kind;
  std::string what;
  std::size_t count;
  std::string first_place;  ///< "FILE:LINE"
};

struct ImportReport {
  std::size_t train_documents = 0;
  std::size_t val_documents = 0;
  std::size_t test_documents = 0;
  std::string shape;               ///< labels per level: "3/40/13"
  double labels_per_document = 0;  ///< mean, ancestors included
  std::vector<ImportNote> notes;   ///< in the order of their first occurrence
};

/// Writes hierarchy.tsv and the split files of a data directory; a split without documents has no
/// file. Files that are there already are replaced, each in one step and only after all inputs
/// were read without error. Same options and inputs, same bytes.
/// Throws kUsage for options that contradict each other, kInput with file and line for an input
/// that breaks its format, kIo.
ImportReport import_data(const ImportOptions& options);

struct ImportFormat {
  std::string name;
  std::string description;  ///< one line
};

/// All formats, in the order of the documentation.
std::vector<ImportFormat> import_formats();

/// "60/20/20" as percentages. Throws kUsage unless there are three, none negative, the first above
/// zero, with the sum 100.
std::array<double, 3> parse_split(const std::string& text);

/// The report as lines for people, each ended by a newline.
std::string to_text(const ImportReport& report);

}  // namespace hmtc
