#include "train/trainer_process.h"

#include <fmt/format.h>

#include "base/child_process.h"
#include "base/error.h"
#include "base/strings.h"
#include "metrics/predictions.h"
#include "train/progress_lines.h"
#include "train/trainer_program.h"

namespace hmtc {
namespace {

constexpr int kFirstSignalCode = 128;
/// Before there was anything to save.
constexpr TrainResult kInterruptedAtOnce{TrainOutcome::kInterrupted, kUndefined};

std::vector<std::string> command_for(const std::filesystem::path& data, const TrainJob& job) {
  std::vector<std::string> command = {require_trainer_program().string(), "train",
                                      "--json-progress"};
  // In one argument with its name a value may begin with "-".
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) command.push_back(fmt::format("{}={}", name, value));
  };
  add("--data", data.string());
  add("--out", job.out.string());
  add("--model", job.model);
  add("--config", job.config.string());
  for (const std::string& setting : job.settings) add("--set", setting);
  add("--embeddings", job.embeddings.string());
  add("--teacher", job.teacher.string());
  if (job.minutes > 0) add("--minutes", fmt::format("{}", job.minutes));
  if (job.resume) command.emplace_back("--resume");
  if (job.restart) command.emplace_back("--restart");
  return command;
}

/// The program's own words, without its name.
std::string message_of(const std::string& text, int exit_code) {
  std::string_view message = trim(text);
  constexpr std::string_view kName = "hmtc: ";
  if (message.starts_with(kName)) message.remove_prefix(kName.size());
  if (!message.empty()) return std::string(message);
  return fmt::format("hmtc-trainer ended with exit code {} and no word of why", exit_code);
}

}  // namespace

TrainResult train_in_trainer_process(const std::filesystem::path& data, const TrainJob& job) {
  TrainObserver nobody;
  ProgressReader progress(job.observer != nullptr ? *job.observer : nobody);
  const auto wishes = [&job](StopToken::Wish wish) {
    return job.stop != nullptr && job.stop->wish() == wish;
  };
  bool was_paused = false;
  ChildWatch watch;
  watch.should_stop = [&] { return was_paused = wishes(StopToken::Wish::kPause); };
  // Before that the signal would end it.
  watch.should_finish = [&] { return progress.has_begun() && wishes(StopToken::Wish::kFinish); };
  const int exit_code = run_child(
                            command_for(data, job), trainer_environment(),
                            [&](const std::string& line) { progress.read(line); }, watch)
                            .exit_code;
  if (progress.result()) return *progress.result();
  if (exit_code >= kFirstSignalCode && was_paused) return kInterruptedAtOnce;
  throw Error(kind_of_exit(exit_code), message_of(progress.other_text(), exit_code));
}

}  // namespace hmtc
