#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "config/config.h"
#include "experiment/input_digest.h"
#include "experiment/plan.h"
#include "experiment/provenance.h"
#include "report/run_result.h"

namespace hmtc {

/// One model on one seed; or, with a trial, one of the settings to choose from.
struct Job {
  std::size_t row;
  std::int64_t seed;
  std::optional<std::size_t> trial;
  enum class State { kWaits, kRuns, kDone, kFailed } state = State::kWaits;
};

/// All that a plan wants to be run, and what of it is done: a job is when its result is in `out`.
/// Used by one thread at a time.
class JobList {
 public:
  /// Throws kUsage when `out` holds the results of another plan; kInput when one is damaged.
  JobList(const Plan& plan, std::filesystem::path out, std::string embeddings);

  const std::vector<Job>& jobs() const { return jobs_; }
  std::size_t num_done() const;
  /// Neither done nor failed, nor dependent on what failed.
  std::size_t num_to_come() const;

  /// A job that waits for nothing but its turn, or null.
  Job* next();
  bool some_are(Job::State state) const;
  /// How long what is not done would take, one job after the other: each as long as those of its
  /// row took on average, or as all did where none of them is done; nothing is to come of what
  /// failed, nor of a run that takes over its trial's model. It must be known of some job.
  double seconds_to_come() const;

  std::string name_of(const Job& job) const;
  /// Where it trains: its log, its model.
  std::filesystem::path folder_of(const Job& job) const { return out_ / "runs" / name_of(job); }
  std::filesystem::path model_of(const Job& job) const { return folder_of(job) / "model"; }
  std::filesystem::path result_file(const Job& job) const;
  RunResult result_of(const Job& job) const;

  /// Those of plan and row and of the trial, which all must be done for a job without one.
  Settings settings_of(const Job& job) const;

  /// The defaults too, but for those of other models alone.
  std::vector<std::string> all_settings_of(const Job& job) const;

  /// All besides model, settings and seed that its result depends on.
  std::string recipe_of(const Job& job) const;

  /// Throws kUsage when a result that is here was made from other data or vectors. What is not
  /// known, of either side, is taken for the same.
  void require_same_inputs(const InputDigests& inputs) const;

  /// The job whose model teaches this one, or null.
  const Job* teacher_of(const Job& job) const;
  /// The trial whose settings and seed a run has, so that it would only repeat it; null if none.
  const Job* chosen_trial_of(const Job& job) const;
  /// Whether a job that learns from this one's model, or may take it over, is not done.
  bool is_still_needed(const Job& job) const;

  /// What it trains with.
  Config config_of(const Job& job) const;

 private:
  bool has_pupils_to_come(const Job& job) const;
  bool is_to_come(const Job& job) const;
  bool only_takes_over(const Job& job) const;
  Config defaults_of(const Job& job) const;
  std::string recipe_without_defaults_of(const Job& job) const;
  Provenance provenance_of(const Job& job) const;
  void require_teachers_result(const Job& job) const;
  std::optional<std::size_t> best_trial(std::size_t row) const;
  bool is_ready(const Job& job) const;
  bool knows_its_settings(const Job& job) const;

  const Plan& plan_;
  std::filesystem::path out_;
  std::string embeddings_;
  std::vector<Job> jobs_;
};

/// Settings as --set has them.
std::vector<std::string> assignments(const Settings& settings);

}  // namespace hmtc
