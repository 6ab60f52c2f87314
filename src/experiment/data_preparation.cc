#include "experiment/data_preparation.h"

#include <fmt/format.h>

#include "base/child_process.h"
#include "base/error.h"
#include "base/files.h"
#include "base/line_reader.h"
#include "base/strings.h"
#include "data/corpus_reader.h"

namespace hmtc {
namespace {

namespace fs = std::filesystem;

std::string first_lines_of(const fs::path& file, std::size_t count) {
  std::string text;
  LineReader reader(file.string());
  std::string_view line;
  for (std::size_t i = 0; i < count && reader.next(line); ++i) (text += line) += "\n";
  return text;
}

/// Runs are measured on them, so that their absence must show before the first is trained.
void require_splits(const fs::path& directory, const Plan& plan) {
  if (!fs::is_directory(directory)) return;  // which training says better
  const bool has_validation = fs::exists(directory / "val.jsonl");
  if (plan.data.seed_decides_split && has_validation) {
    throw input_error({(directory / "val.jsonl").string()},
                      {"a directory whose training documents the seed divides", "a division",
                       "remove the file, or data.seed_decides_split from the experiment"});
  }
  if (!plan.data.seed_decides_split && !has_validation) {
    throw input_error({(directory / "val.jsonl").string()},
                      {"the split that an experiment chooses by", "no such file",
                       "divide the data into train, val and test (`hmtc import --split`), or let "
                       "the seed cut it from train (data.seed_decides_split)"});
  }
  if (!plan.trials_alone && !fs::exists(directory / "test.jsonl")) {
    throw input_error({(directory / "test.jsonl").string()},
                      {"the split that an experiment measures on", "no such file",
                       "divide the data into train, val and test (`hmtc import --split`)"});
  }
}

/// Moves the documents that the seed holds out from train.jsonl to val.jsonl.
void cut_validation(const fs::path& directory, std::int64_t seed) {
  const fs::path train = directory / "train.jsonl";
  HeldOut held_out = hold_out(train.string(), kHeldOutShare, static_cast<std::uint64_t>(seed));
  std::string rest, validation;
  LineReader reader(train.string());
  std::size_t number = 0;
  for (std::string_view line; reader.next(line);) {
    if (trim(line).empty()) continue;
    ((held_out.reads(number++) ? rest : validation) += line) += "\n";
  }
  write_file_atomically(train, rest);
  write_file_atomically(directory / "val.jsonl", validation);
}

}  // namespace

/// `{data}` stands for the directory that the user names.
std::string DataPreparation::resolved(std::string text) const {
  static constexpr std::string_view kUsersDirectory = "{data}";
  for (std::size_t at = text.find(kUsersDirectory); at != std::string::npos;
       at = text.find(kUsersDirectory, at + request_.data.string().size())) {
    if (request_.data.empty()) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("this experiment reads {}: give --data DIRECTORY", in_quotes(text)));
    }
    text.replace(at, kUsersDirectory.size(), request_.data.string());
  }
  return text;
}

fs::path DataPreparation::directory_for(std::int64_t seed) {
  const std::lock_guard lock(mutex_);
  const PlanData& data = request_.plan.data;
  if (data.import.empty()) {
    require_splits(resolved(data.directory), request_.plan);
    if (data.train_documents == 0 && !data.seed_decides_split) return resolved(data.directory);
  }
  const fs::path directory =
      request_.out / "data" / (data.seed_decides_split ? fmt::format("seed{}", seed) : "all");
  if (fs::exists(directory)) return directory;
  const fs::path unfinished = directory.string() + ".unfinished";
  fs::remove_all(unfinished);
  fs::create_directories(unfinished);
  if (data.import.empty()) {
    for (const char* file : {"hierarchy.tsv", "train.jsonl", "val.jsonl", "test.jsonl"}) {
      const fs::path from = fs::path(resolved(data.directory)) / file;
      if (fs::exists(from)) fs::copy_file(from, unfinished / file);
    }
    if (data.seed_decides_split) cut_validation(unfinished, seed);
  } else {
    import_to(unfinished, data.seed_decides_split ? seed : request_.plan.seeds.front());
  }
  if (data.train_documents > 0) {
    write_file_atomically(unfinished / "train.jsonl",
                          first_lines_of(unfinished / "train.jsonl", data.train_documents));
  }
  fs::rename(unfinished, directory);
  return directory;
}

void DataPreparation::import_to(const fs::path& directory, std::int64_t seed) const {
  std::vector<std::string> command = {this_program().string(), "import"};
  for (const std::string& argument : request_.plan.data.import) {
    command.push_back(resolved(argument));
  }
  command.insert(command.end(), {"--out", directory.string(), "--seed", std::to_string(seed)});
  const fs::path log = request_.out / "data" / "import.log";
  const int exit_code = run_child(command, log, request_.stop).exit_code;
  if (exit_code == 0) return;
  throw Error(kind_of_exit(exit_code), fmt::format("the import failed; its log, {}, says:\n{}",
                                                   log.string(), read_file(log)));
}

}  // namespace hmtc
