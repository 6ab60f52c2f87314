#include "experiment/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "base/child_process.h"
#include "base/error.h"
#include "base/files.h"
#include "base/parallel.h"
#include "experiment/data_preparation.h"
#include "experiment/measure_run.h"
#include "model/model_names.h"
#include "report/html_report.h"
#include "report/markdown_report.h"
#include "report/run_result.h"

namespace hmtc {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// One model on one seed; or, with a trial, one of the settings to choose from.
struct Job {
  std::size_t row;
  std::int64_t seed;
  std::optional<std::size_t> trial;
  enum class State { kWaits, kRuns, kDone } state = State::kWaits;
};

std::string duration(double seconds) {
  const auto minutes = static_cast<long>(seconds / 60 + 0.5);
  return minutes < 60 ? fmt::format("{} min", minutes)
                      : fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
}

Settings merged(Settings settings, const Settings& over) {
  for (const auto& [key, value] : over) settings[key] = value;
  return settings;
}

std::vector<std::string> assignments(const Settings& settings) {
  std::vector<std::string> list;
  for (const auto& [key, value] : settings) list.push_back(key + "=" + value);
  return list;
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
      : request_(request), plan_(request.plan), data_(request) {
    for (const PlanRow& row : plan_.rows) require_known_model(row.model);
    if (plan_.wants_embeddings && request.embeddings.empty()) {
      throw Error(ErrorKind::kUsage, "this experiment wants word vectors: give --embeddings FILE");
    }
    for (const char* folder : {"results", "search", "runs"}) make_folder(request.out / folder);
    plan_jobs();
  }

  ExperimentOutcome run() {
    write_reports();
    const auto at_once = std::max<std::int64_t>(hardware_threads() / plan_.threads, 1);
    std::vector<std::thread> threads;
    for (std::int64_t i = 1; i < at_once; ++i) threads.emplace_back([this] { work(); });
    work();
    for (std::thread& thread : threads) thread.join();
    if (failure_) std::rethrow_exception(failure_);
    if (is_stopped()) return ExperimentOutcome::kInterrupted;
    return num_done() < jobs_.size() ? ExperimentOutcome::kOutOfTime : ExperimentOutcome::kFinished;
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

  /// Trials first, then seed by seed, so that a table of the seeds so far compares like with like.
  void plan_jobs() {
    for (std::size_t row = 0; row < plan_.rows.size(); ++row) {
      for (std::size_t trial = 0; trial < plan_.rows[row].trials.size(); ++trial) {
        jobs_.push_back({row, plan_.seeds.front(), trial});
      }
    }
    const auto seeds = plan_.trials_alone ? std::vector<std::int64_t>() : plan_.seeds;
    for (const std::int64_t seed : seeds) {
      for (std::size_t row = 0; row < plan_.rows.size(); ++row) jobs_.push_back({row, seed, {}});
    }
    for (Job& job : jobs_) {
      if (fs::exists(result_file(job))) job.state = Job::State::kDone;
    }
    for (const Job& job : jobs_) {
      if (job.state == Job::State::kDone) require_same_settings(job);
    }
  }

  std::string name_of(const Job& job) const {
    const std::string trial = job.trial ? fmt::format(".trial{}", *job.trial) : "";
    return fmt::format("{}{}.seed{}", file_name_of(plan_.rows[job.row].name), trial, job.seed);
  }

  fs::path result_file(const Job& job) const {
    return request_.out / (job.trial ? "search" : "results") / (name_of(job) + ".json");
  }

  RunResult result_of(const Job& job) const {
    const fs::path file = result_file(job);
    return parse_run_result(read_file(file), file.string());
  }

  /// A result that was made otherwise than the plan says must not stand in the table.
  void require_same_settings(const Job& job) const {
    if (!is_ready(job)) return;  // its trials are to be repeated
    const RunResult result = result_of(job);
    if (result.experiment == plan_.title && result.model == plan_.rows[job.row].model &&
        result.settings == assignments(settings_of(job))) {
      return;
    }
    throw Error(ErrorKind::kUsage,
                fmt::format("{} was made by another experiment or with other settings; choose "
                            "another --out, or delete it to run it again",
                            result_file(job).string()));
  }

  Settings settings_of(const Job& job) const {
    const PlanRow& row = plan_.rows[job.row];
    const Settings settings = merged(plan_.settings, row.settings);
    const std::optional<std::size_t> trial = job.trial ? job.trial : best_trial(job.row);
    return trial ? merged(settings, row.trials[*trial]) : settings;
  }

  /// The trial with the best validation; none when the row has none. All must be done.
  std::optional<std::size_t> best_trial(std::size_t row) const {
    std::optional<std::size_t> best;
    double best_score = -1;
    for (const Job& job : jobs_) {
      if (job.row != row || !job.trial) continue;
      const double score = result_of(job).validation.combined.micro;
      if (!best || score > best_score) {
        best = job.trial;
        best_score = score;
      }
    }
    return best;
  }

  bool is_ready(const Job& job) const {
    return job.trial || std::all_of(jobs_.begin(), jobs_.end(), [&](const Job& other) {
             return other.row != job.row || !other.trial || other.state == Job::State::kDone;
           });
  }

  std::size_t num_done() const {
    return static_cast<std::size_t>(std::count_if(
        jobs_.begin(), jobs_.end(), [](const Job& job) { return job.state == Job::State::kDone; }));
  }

  bool is_stopped() const { return request_.stop != nullptr && request_.stop->load(); }

  bool is_out_of_time() const {
    return plan_.minutes > 0 && seconds_since(start_) > 60 * plan_.minutes;
  }

  static double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
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

  /// Waits while all that is left needs a trial that still runs. Null: nothing is left to be begun.
  Job* next_job() {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (failure_ || is_stopped() || is_out_of_time()) return nullptr;
      const auto ready = std::find_if(jobs_.begin(), jobs_.end(), [&](const Job& job) {
        return job.state == Job::State::kWaits && is_ready(job);
      });
      if (ready != jobs_.end()) {
        ready->state = Job::State::kRuns;
        return &*ready;
      }
      const bool more_may_come = std::any_of(jobs_.begin(), jobs_.end(), [](const Job& job) {
        return job.state == Job::State::kWaits;
      });
      if (!more_may_come) return nullptr;
      changed_.wait(lock);
    }
  }

  void finish(Job& job, bool done) {
    const std::lock_guard lock(mutex_);
    job.state = done ? Job::State::kDone : Job::State::kWaits;
    changed_.notify_all();
    if (!done) return;
    ++finished_here_;
    write_reports();
    const RunResult result = result_of(job);
    const double left = seconds_since(start_) / static_cast<double>(finished_here_) *
                        static_cast<double>(jobs_.size() - num_done());
    request_.on_message(
        fmt::format("{} of {}  {}  {} {:.4f}  in {:.0f} s  {}", num_done(), jobs_.size(),
                    name_of(job), job.trial ? "validation" : "test",
                    job.trial ? result.validation.combined.micro : result.test.combined.micro,
                    result.train_seconds,
                    num_done() < jobs_.size() ? "about " + duration(left) + " left" : "done"));
  }

  /// Trains and measures; false when it was stopped before the end.
  bool run_job(const Job& job) {
    const fs::path data = data_.directory_for(job.seed);
    const fs::path folder = request_.out / "runs" / name_of(job);
    make_folder(folder);
    const std::vector<std::string> command = train_command(job, data, folder / "model");
    const ChildResult child = run_child(command, folder / "log.txt", request_.stop);
    if (child.exit_code != 0) {
      if (is_stopped()) return false;
      throw Error(
          kind_of_exit(child.exit_code),
          fmt::format("{} ended with exit code {}; its log, {}, ends with:\n{}", name_of(job),
                      child.exit_code, (folder / "log.txt").string(), end_of(folder / "log.txt")));
    }
    RunResult result =
        measure_run(folder / "model", data, plan_.threads,
                    job.trial ? MeasuredSplits::kValidation : MeasuredSplits::kValidationAndTest);
    result.experiment = plan_.title;
    result.row = plan_.rows[job.row].name;
    result.model = plan_.rows[job.row].model;
    result.seed = job.seed;
    result.settings = assignments(settings_of(job));
    result.data = plan_.data.description;
    result.command = shown(command);
    result.train_seconds = child.seconds;
    result.peak_mb = child.peak_mb;
    write_file_atomically(result_file(job), to_json(result));
    if (job.trial && request_.on_trial) {
      const std::lock_guard lock(mutex_);
      request_.on_trial(result, folder / "model");
    }
    if (!request_.keep_models || job.trial) fs::remove_all(folder);
    return true;
  }

  std::vector<std::string> train_command(const Job& job, const fs::path& data,
                                         const fs::path& model) const {
    std::vector<std::string> command = {this_program().string(),
                                        "train",
                                        "--data",
                                        data.string(),
                                        "--out",
                                        model.string(),
                                        "--model",
                                        plan_.rows[job.row].model,
                                        "--seed",
                                        std::to_string(job.seed),
                                        "--threads",
                                        std::to_string(plan_.threads),
                                        "--resume"};
    for (const std::string& assignment : assignments(settings_of(job))) {
      command.insert(command.end(), {"--set", assignment});
    }
    if (plan_.wants_embeddings && plan_.rows[job.row].model != "linear") {
      command.insert(command.end(), {"--embeddings", request_.embeddings});
    }
    return command;
  }

  /// For people on other machines: the folders by the names of the options that gave them.
  std::string shown(const std::vector<std::string>& command) const {
    std::string text = "hmtc";
    for (std::size_t i = 1; i < command.size(); ++i) {
      std::string argument = command[i];
      for (const auto& [folder, name] :
           {std::pair{request_.out.string(), "OUT"}, std::pair{request_.data.string(), "DATA"}}) {
        if (!folder.empty() && argument.starts_with(folder))
          argument.replace(0, folder.size(), name);
      }
      if (argument == request_.embeddings) argument = fs::path(argument).filename().string();
      text += " " + argument;
    }
    return text;
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
    for (const Job& job : jobs_) {
      if (job.state == Job::State::kDone && !job.trial) report.results.push_back(result_of(job));
    }
    write_file_atomically(request_.out / "table.md", markdown_report(report));
    write_file_atomically(request_.out / "report.html", html_report(report));
  }

  const ExperimentRequest& request_;
  const Plan& plan_;
  DataPreparation data_;
  Clock::time_point start_ = Clock::now();
  std::vector<Job> jobs_;
  std::mutex mutex_;  // guards the states of jobs_, what follows, and the reports
  std::condition_variable changed_;
  std::size_t finished_here_ = 0;
  std::exception_ptr failure_;  // of the first run that failed
};

}  // namespace

ExperimentOutcome run_experiment(const ExperimentRequest& request) {
  return Experiment(request).run();
}

}  // namespace hmtc
