#include "experiment/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "artifact/model_directory.h"
#include "base/error.h"
#include "base/file_lock.h"
#include "base/files.h"
#include "base/parallel.h"
#include "config/ingredients.h"
#include "experiment/data_preparation.h"
#include "experiment/job_list.h"
#include "experiment/job_runner.h"
#include "network/model_names.h"
#include "report/html_report.h"
#include "report/markdown_report.h"
#include "report/run_result.h"
#include "train/trainer_program.h"

namespace hmtc {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// Throws kUsage for a model or an ingredient that there is not.
void require_possible(const Plan& plan, const PlanRow& row) {
  require_known_model(row.model);
  const Settings settings = merged(plan.settings, row.settings);
  std::vector<Settings> all = {settings};
  for (const Settings& trial : row.trials) all.push_back(merged(settings, trial));
  try {
    for (const Settings& one : all) require_possible_ingredients(config_of(row.model, one));
  } catch (const Error& error) {
    if (plan.trials_alone) throw;  // whose user knows of no rows
    throw Error(error.kind(), fmt::format("row {}: {}", in_quotes(row.name), error.what()));
  }
}

/// Throws before anything is written; of what is done there may be no data any more.
void require_usable(const ExperimentRequest& request) {
  if (is_model_directory(request.out)) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--out {}: expected a folder for results, found a model in it; choose "
                            "another",
                            request.out.string()));
  }
  if (fs::exists(request.out / "train.jsonl")) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--out {}: expected a folder for results, found a data directory; "
                            "choose another",
                            request.out.string()));
  }
  for (const PlanRow& row : request.plan.rows) {
    require_possible(request.plan, row);
    if (row.model != "linear") require_trainer_program();
  }
  if (request.plan.wants_embeddings && request.embeddings.empty()) {
    throw Error(ErrorKind::kUsage, "this experiment wants word vectors: give --embeddings FILE");
  }
  if (fs::exists(request.out / "results")) return;
  DataPreparation(request).require_directory();
  if (request.plan.wants_embeddings) require_exists(request.embeddings);
}

void make_folder(const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) {
    throw Error(ErrorKind::kIo,
                fmt::format("cannot make {}: {}", folder.string(), failure.message()));
  }
}

class Experiment {
 public:
  explicit Experiment(const ExperimentRequest& request)
      : request_(request),
        plan_(request.plan),
        lock_(request.out / "lock",
              fmt::format("another process runs an experiment in {}; wait for it or choose "
                          "another --out",
                          request.out.string())),
        jobs_(plan_, request.out, request.embeddings),
        runner_(request, jobs_, mutex_,
                [this] { return is_stopped() || is_out_of_time() || is_hopeless_; }) {
    if (jobs_.num_done() > 0) runner_.require_same_data();
  }

  ExperimentOutcome run() {
    write_reports();
    if (jobs_.num_done() < jobs_.jobs().size()) {
      request_.on_message(fmt::format("{} of {} runs are done; {} at a time", jobs_.num_done(),
                                      jobs_.jobs().size(), jobs_at_once()));
    }
    std::vector<std::thread> threads;
    for (std::size_t i = 1; i < jobs_at_once(); ++i) threads.emplace_back([this] { work(); });
    work();
    for (std::thread& thread : threads) thread.join();
    if (is_hopeless_) std::rethrow_exception(failure_);
    if (is_stopped()) return ExperimentOutcome::kInterrupted;
    const bool is_search_with_a_result = plan_.trials_alone && jobs_.num_done() > 0;
    if (failure_ && !is_search_with_a_result) std::rethrow_exception(failure_);
    return is_out_of_time() && jobs_.some_are(Job::State::kWaits) ? ExperimentOutcome::kOutOfTime
                                                                  : ExperimentOutcome::kFinished;
  }

 private:
  bool is_stopped() const { return request_.stop != nullptr && request_.stop->is_set(); }

  bool is_out_of_time() const {
    return plan_.minutes > 0 && seconds_since(start_) > 60 * plan_.minutes;
  }

  std::size_t jobs_at_once() const {
    return static_cast<std::size_t>(std::max<std::int64_t>(hardware_threads() / plan_.threads, 1));
  }

  static double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

  /// Takes one job after the other until none is left.
  void work() {
    while (Job* job = next_job()) {
      try {
        const bool done = runner_.run(*job);
        finish(*job, done);
      } catch (const RunFailure& failure) {
        fail(*job);
        tell(fmt::format("failed: {}", failure.what()));
      } catch (...) {
        fail(*job);
        if (!is_stopped()) give_up();
      }
    }
  }

  /// To be called while the exception is handled.
  void fail(Job& job) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
    job.state = Job::State::kFailed;
    changed_.notify_all();
  }

  /// What failed concerns all runs: those that train are saved, and this failure is the one to
  /// tell.
  void give_up() {
    const std::lock_guard lock(mutex_);
    if (!is_hopeless_) failure_ = std::current_exception();
    is_hopeless_ = true;
  }

  void tell(const std::string& message) {
    const std::lock_guard lock(mutex_);
    request_.on_message(message);
  }

  /// Waits while all that is left needs a job that still runs. Null: nothing is left to be begun.
  Job* next_job() {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (is_hopeless_ || is_stopped() || is_out_of_time()) return nullptr;
      if (Job* const job = jobs_.next()) {
        job->state = Job::State::kRuns;
        return job;
      }
      if (!jobs_.some_are(Job::State::kWaits) || !jobs_.some_are(Job::State::kRuns)) return nullptr;
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
    const std::size_t num_left = jobs_.num_to_come();
    const std::size_t at_once = std::min(jobs_at_once(), std::max<std::size_t>(num_left, 1));
    const double left = jobs_.seconds_to_come() / static_cast<double>(at_once);
    request_.on_message(fmt::format(
        "{} of {}  {}  {} {:.4f}  in {:.0f} s  {}", jobs_.num_done(), jobs_.jobs().size(),
        jobs_.name_of(job), job.trial ? "validation" : "test",
        job.trial ? result.validation.combined.micro : result.test.combined.micro,
        result.train_seconds, num_left > 0 ? "about " + shown_duration(left) + " left" : "done"));
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
  FileLock lock_;
  Clock::time_point start_ = Clock::now();
  JobList jobs_;
  // Guards the states of jobs_, messages, reports, results of trials with on_trial(), and failure_.
  std::mutex mutex_;
  JobRunner runner_;
  std::condition_variable changed_;
  std::exception_ptr failure_;            // of the first run that failed
  std::atomic<bool> is_hopeless_{false};  // the failure concerns all runs
};

}  // namespace

ExperimentOutcome run_experiment(const ExperimentRequest& request) {
  ExperimentRequest plain = request;  // whose records do not depend on how paths are spelt
  plain.out = one_spelling(request.out);
  plain.data = one_spelling(request.data);
  require_usable(plain);
  for (const char* folder : {"results", "search", "runs"}) make_folder(plain.out / folder);
  return Experiment(plain).run();
}

}  // namespace hmtc
