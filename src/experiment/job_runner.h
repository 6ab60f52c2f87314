#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "base/error.h"
#include "experiment/data_preparation.h"
#include "experiment/job_list.h"
#include "experiment/run_record.h"
#include "experiment/runner.h"
#include "experiment/train_commands.h"

namespace hmtc {

/// Of one run: the others may well succeed.
class RunFailure : public Error {
 public:
  using Error::Error;
};

/// How long something takes or took, for people.
std::string shown_duration(double seconds);

/// Trains and measures the jobs of an experiment. May be used by several threads, each with a job
/// of its own. What it is given must outlive it.
class JobRunner {
 public:
  /// `mutex` guards the states of the jobs and the messages; `should_stop` is asked while a run
  /// trains.
  JobRunner(const ExperimentRequest& request, const JobList& jobs, std::mutex& mutex,
            std::function<bool()> should_stop);

  /// Throws kUsage when results that are here were made from other data than are at hand.
  void require_same_data();

  /// Leaves the job's result in its file; false when it was stopped before. Throws RunFailure; or
  /// an Error that concerns other jobs as well.
  bool run(const Job& job);

 private:
  InputDigests checked_inputs(const Job& job, const PreparedData& data);
  void take_over_trial(const Job& job, const std::filesystem::path& data,
                       const std::string& digests) const;
  std::string teacher_digest(const Job& job) const;
  RunResult measure(const Job& job, const std::filesystem::path& data, RunRecord& record) const;
  bool train(const Job& job, const std::vector<std::string>& command, RunRecord& record);
  void report(const Job& job, const RunRecord& so_far);
  bool uses_vectors(const Job& job) const;

  const ExperimentRequest& request_;
  const JobList& jobs_;
  std::mutex& mutex_;
  std::function<bool()> should_stop_;
  DataPreparation data_;
  TrainCommands commands_;
  std::string vectors_digest_;  // made when the first run needs it
};

}  // namespace hmtc
