#include "experiment/run_record.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"

namespace hmtc {
namespace {

namespace fs = std::filesystem;

fs::path record_file(const fs::path& folder) { return folder / "run.json"; }

/// A record that cannot be read is as good as none: the run begins anew.
RunRecord read_record(const fs::path& folder) {
  if (!fs::exists(record_file(folder))) return {};
  try {
    const auto json = nlohmann::json::parse(read_file(record_file(folder)));
    return {json.at("command"), json.value("inputs", ""), json.at("seconds"), json.at("peak_mb"),
            json.at("is_trained")};
  } catch (const nlohmann::json::exception&) {
    return {};
  }
}

}  // namespace

RunRecord open_run(const fs::path& folder, const std::string& command, const std::string& inputs) {
  RunRecord record = read_record(folder);
  const bool has_same_inputs = record.inputs.empty() || record.inputs == inputs;
  if (record.command == command && has_same_inputs) return record;
  std::error_code failure;
  fs::remove_all(folder, failure);
  if (!failure) fs::create_directories(folder, failure);
  if (failure) {
    throw Error(ErrorKind::kIo,
                fmt::format("cannot make {}: {}", folder.string(), failure.message()));
  }
  record = {};
  record.command = command;
  record.inputs = inputs;
  write_record(folder, record);
  return record;
}

void take_over_run(const RunToTakeOver& other, const fs::path& folder, const std::string& command,
                   const std::string& inputs) {
  RunRecord record = read_record(other.folder);
  // Killed after the record was written, it has the new command already.
  const bool is_same_run = record.command == other.command || record.command == command;
  if (!record.is_trained || !is_same_run || record.inputs != inputs) return;
  record.command = command;
  write_record(other.folder, record);
  rename_synced(other.folder, folder);
}

void write_record(const fs::path& folder, const RunRecord& record) {
  const nlohmann::ordered_json json = {{"command", record.command},
                                       {"inputs", record.inputs},
                                       {"seconds", record.seconds},
                                       {"peak_mb", record.peak_mb},
                                       {"is_trained", record.is_trained}};
  write_file_atomically(record_file(folder),
                        json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

}  // namespace hmtc
