#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiment/job_list.h"
#include "experiment/runner.h"

namespace hmtc {

/// The calls of `hmtc train` that make up an experiment. What it is given must outlive it.
class TrainCommands {
 public:
  TrainCommands(const ExperimentRequest& request, const JobList& jobs)
      : request_(request), jobs_(jobs) {}

  /// Trains the job from the data directory into the folder `model`.
  std::vector<std::string> train(const Job& job, const std::filesystem::path& data,
                                 const std::filesystem::path& model) const;

  /// For people on other machines: the folders by the names of the options that gave them.
  std::string shown(const std::vector<std::string>& command) const;

 private:
  const ExperimentRequest& request_;
  const JobList& jobs_;
};

}  // namespace hmtc
