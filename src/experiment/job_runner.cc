#include "experiment/job_runner.h"

#include <fmt/format.h>

#include <algorithm>

#include "artifact/checksum.h"
#include "base/child_process.h"
#include "base/files.h"
#include "experiment/input_digest.h"
#include "experiment/measure_run.h"
#include "report/run_result.h"

namespace hmtc {
namespace {

namespace fs = std::filesystem;

/// The last lines that a log got behind its first `begin` bytes, for the message about a failure.
std::string end_of(const fs::path& log, std::size_t begin) {
  std::string text = read_file(log);
  text.erase(0, std::min(begin, text.size()));  // somebody may have emptied it
  const std::size_t kept = 400;
  return text.size() <= kept ? text : "…" + text.substr(text.size() - kept);
}

/// What is known of a run when one more process has worked on it.
RunRecord with_process(RunRecord record, const ChildResult& process) {
  record.seconds += process.seconds;
  record.peak_mb = std::max(record.peak_mb, process.peak_mb);
  return record;
}

}  // namespace

std::string shown_duration(double seconds) {
  const auto minutes = static_cast<long>(seconds / 60 + 0.5);
  return minutes < 60 ? fmt::format("{} min", minutes)
                      : fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
}

JobRunner::JobRunner(const ExperimentRequest& request, const JobList& jobs, std::mutex& mutex,
                     std::function<bool()> should_stop)
    : request_(request),
      jobs_(jobs),
      mutex_(mutex),
      should_stop_(std::move(should_stop)),
      data_(request),
      commands_(request, jobs) {}

void JobRunner::require_same_data() {
  if (!data_.is_at_hand()) return;
  jobs_.require_same_inputs({data_.data_for(request_.plan.seeds.front()).digest, ""});
}

bool JobRunner::run(const Job& job) {
  const PreparedData prepared = data_.data_for(job.seed);
  const InputDigests inputs = checked_inputs(job, prepared);
  const fs::path& data = prepared.directory;
  const fs::path folder = jobs_.folder_of(job);
  const std::vector<std::string> command = commands_.train(job, data, folder / "model");
  const std::string digests = inputs.data + inputs.vectors + teacher_digest(job);
  if (!fs::exists(folder)) take_over_trial(job, data, digests);
  RunRecord record = open_run(folder, commands_.shown(command), digests);
  const bool has_model = record.is_trained && fs::exists(folder / "model");
  if (!has_model && !train(job, command, record)) return false;
  RunResult result = measure(job, data, record);
  const PlanRow& row = request_.plan.rows[job.row];
  result.experiment = request_.plan.title;
  result.row = row.name;
  result.model = row.model;
  result.seed = job.seed;
  result.settings = assignments(jobs_.settings_of(job));
  result.all_settings = jobs_.all_settings_of(job);
  result.data = request_.plan.data.description;
  result.recipe = jobs_.recipe_of(job);
  result.data_digest = inputs.data;
  result.vectors_digest = inputs.vectors;
  result.command = record.command;
  result.train_seconds = record.seconds;
  result.peak_mb = record.peak_mb;
  // One lock for both: on_trial() compares with the results of all trials that it heard of before.
  const std::lock_guard lock(mutex_);
  if (job.trial && request_.on_trial) request_.on_trial(result, folder / "model");
  write_file_atomically(jobs_.result_file(job), to_json(result));
  return true;
}

RunResult JobRunner::measure(const Job& job, const fs::path& data, RunRecord& record) const {
  try {
    return measure_run(
        jobs_.model_of(job), data, request_.plan.threads,
        job.trial ? MeasuredSplits::kValidation : MeasuredSplits::kValidationAndTest);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kIo) throw;
    if (error.kind() == ErrorKind::kModel) {  // damaged since it was trained
      record.is_trained = false;
      write_record(jobs_.folder_of(job), record);
    }
    throw RunFailure(error.kind(), fmt::format("{}: {}", jobs_.name_of(job), error.what()));
  }
}

/// What a job reads. Throws kUsage when results that are here were made from something else.
InputDigests JobRunner::checked_inputs(const Job& job, const PreparedData& data) {
  const std::lock_guard lock(mutex_);
  if (uses_vectors(job) && vectors_digest_.empty()) {
    vectors_digest_ = sha256_hex_of_file(request_.embeddings);
  }
  const InputDigests inputs{data.digest, uses_vectors(job) ? vectors_digest_ : ""};
  jobs_.require_same_inputs(inputs);
  return inputs;
}

/// A run need not train again what its chosen trial has trained as it would.
void JobRunner::take_over_trial(const Job& job, const fs::path& data,
                                const std::string& digests) const {
  const Job* const trial = jobs_.chosen_trial_of(job);
  if (trial == nullptr) return;
  const fs::path model = jobs_.model_of(job);
  const std::vector<std::string> command = commands_.train(job, data, model);
  if (commands_.train(*trial, data, model) != command) return;
  take_over_run({jobs_.folder_of(*trial),
                 commands_.shown(commands_.train(*trial, data, jobs_.model_of(*trial)))},
                jobs_.folder_of(job), commands_.shown(command), digests);
}

/// Its manifest has the checksums of all parts of the teacher.
std::string JobRunner::teacher_digest(const Job& job) const {
  const Job* const teacher = jobs_.teacher_of(job);
  if (teacher == nullptr) return "";
  return sha256_hex_of_file((jobs_.model_of(*teacher) / "manifest.json").string());
}

/// False when it was stopped before the end.
bool JobRunner::train(const Job& job, const std::vector<std::string>& command, RunRecord& record) {
  const fs::path folder = jobs_.folder_of(job);
  const fs::path log = folder / "log.txt";
  ChildWatch watch;
  watch.should_stop = should_stop_;
  watch.on_report = [&](const ChildResult& so_far) { report(job, with_process(record, so_far)); };
  std::error_code none_yet;
  const std::uintmax_t size = fs::file_size(log, none_yet);
  const std::size_t log_before = none_yet ? 0 : size;
  const ChildResult child = run_child(command, log, watch);
  record = with_process(record, child);
  record.is_trained = child.exit_code == 0;
  write_record(folder, record);
  if (record.is_trained || should_stop_()) return record.is_trained;
  const std::string message =
      fmt::format("{} ended with exit code {}; its log, {}, ends with:\n{}", jobs_.name_of(job),
                  child.exit_code, log.string(), end_of(log, log_before));
  const ErrorKind kind = kind_of_exit(child.exit_code);
  // What keeps one run from reading or writing keeps the others; trials have the same data too.
  const bool is_of_the_data = request_.plan.trials_alone && kind == ErrorKind::kInput;
  if (kind == ErrorKind::kIo || is_of_the_data) throw Error(kind, message);
  throw RunFailure(kind, message);
}

/// Saves how long a run has taken, which a kill must not lose, and tells of it now and then.
void JobRunner::report(const Job& job, const RunRecord& so_far) {
  constexpr int kMinutesBetweenMessages = 5;
  try {
    write_record(jobs_.folder_of(job), so_far);
    if (static_cast<int>(so_far.seconds / 60) % kMinutesBetweenMessages != 0) return;
    const auto point = last_validation(jobs_.model_of(job));
    const std::string reached =
        point ? fmt::format("epoch {:.0f}, validation {:.4f}", point->epoch, point->score)
              : "before the first validation";
    const std::lock_guard lock(mutex_);
    request_.on_message(fmt::format("  {}  {}  {} so far", jobs_.name_of(job), reached,
                                    shown_duration(so_far.seconds)));
  } catch (const std::exception&) {
    // The run moves its files while they are read; and what is wrong with them it says better.
  }
}

bool JobRunner::uses_vectors(const Job& job) const {
  return request_.plan.uses_vectors(request_.plan.rows[job.row]);
}

}  // namespace hmtc
