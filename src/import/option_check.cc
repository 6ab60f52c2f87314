#include "import/option_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/files.h"
#include "base/strings.h"

namespace hmtc {
namespace fs = std::filesystem;
namespace {

/// An option that only some formats read.
struct FormatOption {
  const char* flag;
  bool is_set;
  std::vector<std::string> formats;
};

/// An option that would change nothing is more likely a mistake.
void check_format_options(const ImportOptions& options) {
  const ImportOptions defaults;
  const FormatOption all[] = {
      {"--taxonomy", !options.taxonomy.empty(), {"bgc", "rcv1-svm"}},
      {"--drop-label", !options.drop_labels.empty(), {"rcv1-svm"}},
      {"--term-words", !options.term_words.empty(), {"rcv1-svm"}},
      {"--language", options.language != defaults.language, {"wipo-alpha"}},
      {"--min-documents", options.min_documents != defaults.min_documents, {"debtags"}},
      {"--text-columns", options.text_columns != defaults.text_columns, {"csv"}},
      {"--label-column", options.label_column != defaults.label_column, {"csv"}},
      {"--id-column", options.id_column != defaults.id_column, {"csv"}},
      {"--delimiter", options.delimiter != defaults.delimiter, {"csv"}},
      {"--label-separator", options.label_separator != defaults.label_separator, {"csv"}},
      {"--path-separator", options.path_separator != defaults.path_separator, {"csv"}},
  };
  for (const FormatOption& option : all) {
    const auto& formats = option.formats;
    if (!option.is_set || std::count(formats.begin(), formats.end(), options.format) > 0) continue;
    throw Error(ErrorKind::kUsage,
                fmt::format("{}: expected the format {}, found {}; leave it out", option.flag,
                            fmt::join(formats, " or "), options.format));
  }
}

/// Inputs are read twice, so they must still be there the second time.
void check_inputs(const std::vector<std::string>& inputs) {
  if (inputs.empty()) {
    throw Error(ErrorKind::kUsage, "import: expected at least one input, found none; name a file");
  }
  for (const std::string& input : inputs) {
    if (input != "-") require_exists(input);
    if (input == "-" || (!fs::is_regular_file(input) && !fs::is_directory(input))) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("import: expected files, found {}; inputs are read twice, so save a "
                              "stream to a file first",
                              input == "-" ? "standard input" : in_quotes(input)));
    }
  }
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

void check_out(const fs::path& out) {
  const auto refuse = [&](ErrorKind kind, const std::string& found) {
    return Error(kind, fmt::format("--out: expected a new directory or one with data, found {}; "
                                   "choose another --out",
                                   found));
  };
  if (out.empty()) throw refuse(ErrorKind::kUsage, "an empty name");
  if (fs::exists(out) && !fs::is_directory(out)) {
    throw refuse(ErrorKind::kIo, "the file " + in_quotes(out.string()));
  }
  if (fs::exists(out / "manifest.json") || fs::exists(out / "run")) {
    throw refuse(ErrorKind::kUsage, "a model in " + in_quotes(out.string()));
  }
}

/// Not one of the files that are read.
void check_is_not_read(const ImportOptions& options) {
  std::vector<std::string> read = options.inputs;
  for (const auto& file : {options.taxonomy, options.term_words}) {
    if (!file.empty()) read.push_back(file);
  }
  std::error_code failure;  // of files that are not there, which are told of elsewhere
  for (const char* name : {"hierarchy.tsv", "train.jsonl", "val.jsonl", "test.jsonl"}) {
    for (const std::string& input : read) {
      if (!fs::equivalent(input, fs::path(options.out) / name, failure)) continue;
      throw Error(ErrorKind::kUsage,
                  fmt::format("--out: expected another directory than that of the inputs, found "
                              "that {} would be replaced; choose another --out",
                              in_quotes(input)));
    }
  }
}

}  // namespace

void check_options(const ImportOptions& options) {
  check_format_options(options);
  check_inputs(options.inputs);
  check_out(options.out);
  check_is_not_read(options);
  if (options.split) check_split(*options.split);
}

void check_number_of_splits(std::size_t num_inputs) {
  if (num_inputs == 2 || num_inputs == 3) return;
  throw Error(ErrorKind::kUsage,
              fmt::format("import: expected two inputs (train, test) or three (train, val, test), "
                          "found {}; add --split 60/20/20 to divide them all by chance",
                          num_inputs));
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
                            in_quotes(text)));
  }
  check_split(split);
  return split;
}

}  // namespace hmtc
