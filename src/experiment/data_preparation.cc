#include "experiment/data_preparation.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/child_process.h"
#include "base/error.h"
#include "base/files.h"
#include "base/line_reader.h"
#include "base/random.h"

namespace hmtc {
namespace {

namespace fs = std::filesystem;

/// Some lines of a file, drawn by a fixed seed, in their order.
std::string sample_of_lines(const fs::path& file, std::size_t count) {
  std::vector<std::string> lines;
  LineReader reader(file.string());
  for (std::string_view line; reader.next(line);) lines.emplace_back(line);
  std::vector<std::size_t> chosen(lines.size());
  for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = i;
  Random(0).shuffle(chosen);
  chosen.resize(std::min(count, chosen.size()));
  std::sort(chosen.begin(), chosen.end());
  std::string text;
  for (const std::size_t i : chosen) text += lines[i] + "\n";
  return text;
}

}  // namespace

std::string DataPreparation::resolved(const std::string& text) const {
  static constexpr std::string_view kPlaceholder = "{data}";
  std::string result = text;
  const std::size_t at = result.find(kPlaceholder);
  if (at == std::string::npos) return result;
  if (request_.data.empty()) {
    throw Error(ErrorKind::kUsage,
                fmt::format("this experiment reads {}: give --data DIRECTORY", in_quotes(text)));
  }
  return result.replace(at, kPlaceholder.size(), request_.data.string());
}

fs::path DataPreparation::directory_for(std::int64_t seed) {
  const std::lock_guard lock(mutex_);
  const PlanData& data = request_.plan.data;
  if (data.import.empty() && data.train_documents == 0) return resolved(data.directory);
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
  } else {
    import_to(unfinished, data.seed_decides_split ? seed : request_.plan.seeds.front());
  }
  if (data.train_documents > 0) {
    write_file_atomically(unfinished / "train.jsonl",
                          sample_of_lines(unfinished / "train.jsonl", data.train_documents));
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
  if (run_child(command, log, request_.stop).exit_code == 0) return;
  throw Error(ErrorKind::kInternal, fmt::format("the import failed; its log, {}, says:\n{}",
                                                log.string(), read_file(log)));
}

}  // namespace hmtc
