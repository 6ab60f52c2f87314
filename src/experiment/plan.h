#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/config.h"

namespace hmtc {

/// Configuration keys and their values, as `--set` has them.
using Settings = std::map<std::string, std::string>;

/// A row of an experiment's table.
struct PlanRow {
  std::string name;   ///< in the table: "LA-HCN"
  std::string model;  ///< as --model has it
  Settings settings;
  std::vector<Settings>
      trials;  ///< validation of the first seed chooses one; none: nothing to choose
  std::optional<double> paper;  ///< the published AU(PRC), to be printed beside ours
  std::string note;
  std::string teacher;  ///< the row whose model of the same seed it learns from, or empty
};

/// Where the documents come from. `{data}` stands for the directory that the user names.
struct PlanData {
  std::string description;          ///< a sentence for the report
  std::string directory;            ///< a data directory, or
  std::vector<std::string> import;  ///< arguments of `hmtc import`
  bool seed_decides_split = false;  ///< an import for each seed, instead of one
  std::size_t train_documents = 0;  ///< the first of the training split; 0: all of it
};

/// A declarative experiment: models, data, seeds, and how much time there is.
struct Plan {
  std::string title;
  PlanData data;
  bool wants_embeddings = false;
  Settings settings;  ///< of all rows
  std::vector<std::int64_t> seeds;
  std::int64_t threads = 1;    ///< of each run; as many runs at once as the machine has threads for
  double minutes = 0;          ///< what runs then is saved, and no more begun; 0: no limit
  std::string reference = "";  ///< the row that the others are compared with
  std::vector<PlanRow> rows;
  bool trials_alone = false;  ///< the trials are all that is to be run; test is not read

  /// Whether the row's model reads word vectors.
  bool uses_vectors(const PlanRow& row) const { return wants_embeddings && row.model != "linear"; }
};

/// Reads an experiment file: JSON, in which comments are allowed (docs/formats.md).
/// Throws kInput that names the key and what it should be; kIo.
Plan read_plan(const std::filesystem::path& file);

/// Both; where they differ, `over` counts.
Settings merged(Settings settings, const Settings& over);

/// The defaults of a model, those of its profile where the settings name one.
Config defaults_under(const std::string& model, const Settings& settings);

/// The settings over these defaults.
Config config_of(const std::string& model, const Settings& settings);

/// A name that is safe as a file name: "LA-HCN (paper)" becomes "la-hcn-paper".
std::string file_name_of(const std::string& name);

}  // namespace hmtc
