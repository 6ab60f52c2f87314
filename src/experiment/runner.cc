#include "experiment/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "artifact/checksum.h"
#include "artifact/model_directory.h"
#include "base/child_process.h"
#include "base/error.h"
#include "base/files.h"
#include "base/parallel.h"
#include "experiment/data_preparation.h"
#include "experiment/input_digest.h"
#include "experiment/job_list.h"
#include "experiment/measure_run.h"
#include "experiment/run_record.h"
#include "experiment/train_commands.h"
#include "model/model_names.h"
#include "report/html_report.h"
#include "report/markdown_report.h"
#include "report/run_result.h"

namespace hmtc {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

std::string duration(double seconds) {
  const auto minutes = static_cast<long>(seconds / 60 + 0.5);
  return minutes < 60 ? fmt::format("{} min", minutes)
                      : fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
}

/// The last lines of a run's log, for the message about its failure.
std::string end_of(const fs::path& log) {
  const std::string text = read_file(log);
  const std::size_t kept = 400;
  return text.size() <= kept ? text : "…" + text.substr(text.size() - kept);
}

class Experiment {
 public:
  explicit Experiment(const ExperimentRequest& request)
      : request_(request),
        plan_(request.plan),
        data_(request),
        jobs_(plan_, request.out, request.embeddings),
        commands_(request, jobs_) {
    if (is_model_directory(request.out)) {
      throw Error(
          ErrorKind::kUsage,
          fmt::format("--out {}: expected a folder for results, found a model in it; choose "
                      "another",
                      request.out.string()));
    }
    for (const PlanRow& row : plan_.rows) require_known_model(row.model);
    if (plan_.wants_embeddings && request.embeddings.empty()) {
      throw Error(ErrorKind::kUsage, "this experiment wants word vectors: give --embeddings FILE");
    }
    if (jobs_.num_done() > 0 && data_.is_at_hand()) {
      jobs_.require_same_inputs({data_.data_for(plan_.seeds.front()).digest, ""});
    }
    for (const char* folder : {"results", "search", "runs"}) make_folder(request.out / folder);
  }

  ExperimentOutcome run() {
    write_reports();
    std::vector<std::thread> threads;
    for (std::size_t i = 1; i < jobs_at_once(); ++i) threads.emplace_back([this] { work(); });
    work();
    for (std::thread& thread : threads) thread.join();
    if (failure_) std::rethrow_exception(failure_);
    if (is_stopped()) return ExperimentOutcome::kInterrupted;
    return jobs_.num_done() < jobs_.jobs().size() ? ExperimentOutcome::kOutOfTime
                                                  : ExperimentOutcome::kFinished;
  }

 private:
  static void make_folder(const fs::path& folder) {
    std::error_code failure;
    fs::create_directories(folder, failure);
    if (failure) {
      throw Error(ErrorKind::kIo,
                  fmt::format("cannot make {}: {}", folder.string(), failure.message()));
    }
  }

  bool is_stopped() const { return request_.stop != nullptr && request_.stop->load(); }

  bool is_out_of_time() const {
    return plan_.minutes > 0 && seconds_since(start_) > 60 * plan_.minutes;
  }

  std::size_t jobs_at_once() const {
    return static_cast<std::size_t>(std::max<std::int64_t>(hardware_threads() / plan_.threads, 1));
  }

  static double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

  /// What a job reads. Throws kUsage when results that are here were made from something else.
  InputDigests checked_inputs(const Job& job, const PreparedData& data) {
    const std::lock_guard lock(mutex_);
    if (uses_vectors(job) && vectors_digest_.empty()) {
      vectors_digest_ = sha256_hex_of_file(request_.embeddings);
    }
    const InputDigests inputs{data.digest, uses_vectors(job) ? vectors_digest_ : ""};
    jobs_.require_same_inputs(inputs);
    return inputs;
  }

  /// Takes one job after the other until none is left.
  void work() {
    while (Job* job = next_job()) {
      try {
        const bool done = run_job(*job);
        finish(*job, done);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!failure_ && !is_stopped()) failure_ = std::current_exception();
        job->state = Job::State::kWaits;
        changed_.notify_all();
      }
    }
  }

  /// Waits while all that is left needs a job that still runs. Null: nothing is left to be begun.
  Job* next_job() {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (failure_ || is_stopped() || is_out_of_time()) return nullptr;
      if (Job* const job = jobs_.next()) {
        job->state = Job::State::kRuns;
        return job;
      }
      if (!jobs_.some_wait()) return nullptr;
      changed_.wait(lock);
    }
  }

  void finish(Job& job, bool done) {
    const std::lock_guard lock(mutex_);
    job.state = done ? Job::State::kDone : Job::State::kWaits;
    changed_.notify_all();
    if (!done) return;
    remove_what_is_not_needed(job);
    write_reports();
    const RunResult result = jobs_.result_of(job);
    const std::size_t num_left = jobs_.jobs().size() - jobs_.num_done();
    const std::size_t at_once = std::min(jobs_at_once(), std::max<std::size_t>(num_left, 1));
    const double left = jobs_.seconds_to_come() / static_cast<double>(at_once);
    request_.on_message(fmt::format(
        "{} of {}  {}  {} {:.4f}  in {:.0f} s  {}", jobs_.num_done(), jobs_.jobs().size(),
        jobs_.name_of(job), job.trial ? "validation" : "test",
        job.trial ? result.validation.combined.micro : result.test.combined.micro,
        result.train_seconds, num_left > 0 ? "about " + duration(left) + " left" : "done"));
  }

  /// A model stays while another one has to learn from it or a run may take it over.
  void remove_what_is_not_needed(const Job& job) const {
    for (const Job& one : jobs_.jobs()) {
      const bool is_trial_beside = one.trial && one.row == job.row;
      const bool may_go = is_trial_beside || &one == &job || &one == jobs_.teacher_of(job);
      if (!may_go || one.state != Job::State::kDone || jobs_.is_still_needed(one)) continue;
      if (!request_.keep_models || one.trial) fs::remove_all(jobs_.folder_of(one));
    }
  }

  /// Trains and measures; false when it was stopped before the end.
  bool run_job(const Job& job) {
    const PreparedData prepared = data_.data_for(job.seed);
    const InputDigests inputs = checked_inputs(job, prepared);
    const fs::path& data = prepared.directory;
    const fs::path folder = jobs_.folder_of(job);
    const std::vector<std::string> command = commands_.train(job, data, folder / "model");
    const std::string digests = inputs.data + inputs.vectors + teacher_digest(job);
    if (!fs::exists(folder)) take_over_trial(job, data, digests);
    RunRecord record = open_run(folder, commands_.shown(command), digests);
    const bool has_model = record.is_trained && fs::exists(folder / "model");
    if (!has_model && !train(command, folder, record)) return false;
    RunResult result =
        measure_run(folder / "model", data, plan_.threads,
                    job.trial ? MeasuredSplits::kValidation : MeasuredSplits::kValidationAndTest);
    result.experiment = plan_.title;
    result.row = plan_.rows[job.row].name;
    result.model = plan_.rows[job.row].model;
    result.seed = job.seed;
    result.settings = assignments(jobs_.settings_of(job));
    result.data = plan_.data.description;
    result.recipe = jobs_.recipe_of(job);
    result.data_digest = inputs.data;
    result.vectors_digest = inputs.vectors;
    result.command = record.command;
    result.train_seconds = record.seconds;
    result.peak_mb = record.peak_mb;
    if (job.trial && request_.on_trial) {
      const std::lock_guard lock(mutex_);
      request_.on_trial(result, folder / "model");
    }
    write_file_atomically(jobs_.result_file(job), to_json(result));
    return true;
  }

  /// A run need not train again what its chosen trial has trained as it would.
  void take_over_trial(const Job& job, const fs::path& data, const std::string& digests) const {
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
  std::string teacher_digest(const Job& job) const {
    const Job* const teacher = jobs_.teacher_of(job);
    if (teacher == nullptr) return "";
    return sha256_hex_of_file((jobs_.model_of(*teacher) / "manifest.json").string());
  }

  /// False when it was stopped before the end.
  bool train(const std::vector<std::string>& command, const fs::path& folder,
             RunRecord& record) const {
    const fs::path log = folder / "log.txt";
    const ChildResult child = run_child(command, log, request_.stop);
    record.seconds += child.seconds;
    record.peak_mb = std::max(record.peak_mb, child.peak_mb);
    record.is_trained = child.exit_code == 0;
    write_record(folder, record);
    if (record.is_trained || is_stopped()) return record.is_trained;
    throw Error(
        kind_of_exit(child.exit_code),
        fmt::format("{} ended with exit code {}; its log, {}, ends with:\n{}",
                    folder.filename().string(), child.exit_code, log.string(), end_of(log)));
  }

  bool uses_vectors(const Job& job) const { return plan_.uses_vectors(plan_.rows[job.row]); }

  void write_reports() const {
    if (plan_.trials_alone) return;
    ExperimentReport report;
    report.title = plan_.title;
    report.seeds = plan_.seeds;
    report.reference = plan_.reference;
    for (const PlanRow& row : plan_.rows) {
      report.rows.push_back({row.name, row.model, row.paper.value_or(kUndefined), row.note});
    }
    for (const Job& job : jobs_.jobs()) {
      if (job.state == Job::State::kDone && !job.trial)
        report.results.push_back(jobs_.result_of(job));
    }
    write_file_atomically(request_.out / "table.md", markdown_report(report));
    write_file_atomically(request_.out / "report.html", html_report(report));
  }

  const ExperimentRequest& request_;
  const Plan& plan_;
  DataPreparation data_;
  Clock::time_point start_ = Clock::now();
  JobList jobs_;
  TrainCommands commands_;
  std::mutex mutex_;  // guards the states of jobs_, what follows, and the reports
  std::condition_variable changed_;
  std::string vectors_digest_;  // made when the first run needs it
  std::exception_ptr failure_;  // of the first run that failed
};

}  // namespace

ExperimentOutcome run_experiment(const ExperimentRequest& request) {
  return Experiment(request).run();
}

}  // namespace hmtc
