#include "experiment/data_preparation.h"

#include <fmt/format.h>

#include <sstream>

#include "base/child_process.h"
#include "base/error.h"
#include "base/files.h"
#include "base/line_reader.h"
#include "base/strings.h"
#include "data/corpus_reader.h"
#include "data/data_directory.h"
#include "experiment/input_digest.h"
#include "experiment/measure_run.h"

namespace hmtc {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kUsersDirectory = "{data}";
constexpr const char* kDigestFile = "digest.txt";

std::string first_documents_of(const fs::path& file, std::size_t count) {
  std::string text;
  LineReader reader(file.string());
  for (std::string_view line; count > 0 && reader.next(line);) {
    if (trim(line).empty()) continue;
    (text += line) += "\n";
    --count;
  }
  return text;
}

/// Lines that name a file or folder, spelt as one_spelling() does; the others as they are.
std::string with_one_spelling(const std::string& lines) {
  std::string plain;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) {
    plain += (fs::exists(line) ? one_spelling(line).string() : line) + "\n";
  }
  return plain;
}

Error no_validation(const fs::path& directory, const Plan& plan) {
  const std::string remedy = "divide the data into train, val and test (`hmtc import --split`)";
  return input_error(
      {(directory / "val.jsonl").string()},
      {plan.trials_alone ? "the split that a search chooses by"
                         : "the split that an experiment chooses by",
       "no such file",
       plan.trials_alone
           ? remedy
           : remedy + ", or let the seed cut it from train (data.seed_decides_split)"});
}

/// Runs are measured on them, so that their absence must show before the first is trained.
void require_splits(const fs::path& directory, const Plan& plan) {
  if (!fs::exists(directory / "train.jsonl")) open_data_directory(directory);  // says so
  const bool has_validation = fs::exists(directory / "val.jsonl");
  if (plan.data.seed_decides_split && has_validation) {
    throw input_error({(directory / "val.jsonl").string()},
                      {"a directory whose training documents the seed divides", "a division",
                       "remove the file, or data.seed_decides_split from the experiment"});
  }
  if (!plan.data.seed_decides_split && !has_validation) throw no_validation(directory, plan);
  if (!plan.trials_alone && !fs::exists(directory / "test.jsonl")) {
    throw input_error({(directory / "test.jsonl").string()},
                      {"the split that an experiment measures on", "no such file",
                       "divide the data into train, val and test (`hmtc import --split`)"});
  }
}

/// Copies the documents that training with this seed will hold out to a file of their own.
void copy_held_out(const fs::path& directory, std::int64_t seed) {
  const std::string train = (directory / "train.jsonl").string();
  HeldOut held_out = hold_out(train, kHeldOutShare, static_cast<std::uint64_t>(seed));
  held_out.side = HeldOut::Side::kHeldOut;
  std::string documents;
  LineReader reader(train);
  std::size_t number = 0;
  for (std::string_view line; reader.next(line);) {
    if (!trim(line).empty() && held_out.reads(number++)) (documents += line) += "\n";
  }
  write_file_atomically(directory / kHeldOutFile, documents);
}

}  // namespace

/// `{data}` stands for the directory that the user names.
std::string DataPreparation::resolved(std::string text) const {
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

bool DataPreparation::is_used_as_it_is() const {
  const PlanData& data = request_.plan.data;
  return data.import.empty() && data.train_documents == 0 && !data.seed_decides_split;
}

bool DataPreparation::is_at_hand() const {
  const std::string& directory = request_.plan.data.directory;
  const bool is_named =
      !request_.data.empty() || directory.find(kUsersDirectory) == std::string::npos;
  return is_used_as_it_is() && is_named && fs::is_directory(resolved(directory));
}

void DataPreparation::require_directory() const {
  const PlanData& data = request_.plan.data;
  if (data.import.empty()) require_splits(resolved(data.directory), request_.plan);
}

PreparedData DataPreparation::data_for(std::int64_t seed) {
  const std::lock_guard lock(mutex_);
  if (is_used_as_it_is()) {
    require_directory();
    const fs::path directory = resolved(request_.plan.data.directory);
    if (digest_.empty()) digest_ = digest_of_data(directory, SplitOf::kDirectory);
    return {directory, digest_};
  }
  require_same_source();
  const fs::path directory = made_for(seed);
  const fs::path digest = directory / kDigestFile;  // older versions wrote none
  return {directory, fs::exists(digest) ? read_file(digest) : ""};
}

/// Makes it unless it is there.
fs::path DataPreparation::made_for(std::int64_t seed) const {
  const PlanData& data = request_.plan.data;
  const fs::path directory =
      request_.out / "data" / (data.seed_decides_split ? fmt::format("seed{}", seed) : "all");
  if (fs::exists(directory)) return directory;  // of what it was made of nothing may be left
  require_directory();
  const fs::path unfinished = directory.string() + ".unfinished";
  fs::remove_all(unfinished);
  fs::create_directories(unfinished);
  if (data.import.empty()) {
    for (const char* file : {"hierarchy.tsv", "train.jsonl", "val.jsonl", "test.jsonl"}) {
      const fs::path from = fs::path(resolved(data.directory)) / file;
      if (fs::exists(from)) fs::copy_file(from, unfinished / file);
    }
  } else {
    import_to(unfinished, data.seed_decides_split ? seed : request_.plan.seeds.front());
  }
  const SplitOf split = data.seed_decides_split ? SplitOf::kSeed : SplitOf::kDirectory;
  write_file_atomically(unfinished / kDigestFile, digest_of_data(unfinished, split));
  if (data.train_documents > 0) {
    write_file_atomically(unfinished / "train.jsonl",
                          first_documents_of(unfinished / "train.jsonl", data.train_documents));
  }
  if (!fs::exists(unfinished / "val.jsonl")) {
    if (!data.seed_decides_split) throw no_validation(unfinished, request_.plan);
    copy_held_out(unfinished, seed);
  }
  write_file_atomically(source_file(), source());
  fs::rename(unfinished, directory);
  return directory;
}

fs::path DataPreparation::source_file() const { return request_.out / "data" / "source.txt"; }

std::string DataPreparation::source() const {
  const PlanData& data = request_.plan.data;
  std::string lines;
  for (const std::string& argument : data.import) lines += resolved(argument) + "\n";
  if (data.import.empty()) {
    lines = resolved(data.directory) + "\n";
    if (data.seed_decides_split) lines += "held out by training\n";
  }
  if (data.train_documents > 0) lines += fmt::format("first {}\n", data.train_documents);
  return lines;
}

void DataPreparation::require_same_source() const {
  const fs::path file = source_file();
  if (!fs::exists(file)) return;
  if (with_one_spelling(read_file(file)) == with_one_spelling(source())) return;
  throw Error(ErrorKind::kUsage,
              fmt::format("{} says that the data beside it were made from something else than "
                          "this experiment reads now; choose another --out, or delete the folder",
                          file.string()));
}

void DataPreparation::import_to(const fs::path& directory, std::int64_t seed) const {
  std::vector<std::string> command = {this_program().string(), "import"};
  for (const std::string& argument : request_.plan.data.import) {
    command.push_back(resolved(argument));
  }
  command.insert(command.end(), {"--out", directory.string(), "--seed", std::to_string(seed)});
  const fs::path log = request_.out / "data" / "import.log";
  ChildWatch watch;
  watch.should_stop = [&] { return request_.stop != nullptr && request_.stop->is_set(); };
  const int exit_code = run_child(command, log, watch).exit_code;
  if (exit_code == 0) return;
  throw Error(kind_of_exit(exit_code), fmt::format("the import failed; its log, {}, says:\n{}",
                                                   log.string(), read_file(log)));
}

}  // namespace hmtc
