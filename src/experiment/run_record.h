#pragma once

#include <filesystem>
#include <string>

namespace hmtc {

/// What is known of a run before it is measured. It lies in the run's folder, so that a run that is
/// stopped twice still knows how long it took, and one that is trained is not trained again.
struct RunRecord {
  std::string command;  ///< as people on other machines would type it
  std::string inputs;   ///< digests of what it reads; empty: an older version's
  double seconds = 0;   ///< of training, over all its processes
  double peak_mb = 0;   ///< of the largest of them
  bool is_trained = false;
};

/// The record in the folder, which is made. What a run with another command or other inputs has
/// left there is thrown away. Throws kIo.
RunRecord open_run(const std::filesystem::path& folder, const std::string& command,
                   const std::string& inputs);

/// A trained run that another one would only repeat.
struct RunToTakeOver {
  std::filesystem::path folder;
  std::string command;
};

/// Makes the run in the other folder that of `folder`, which does not exist, if it has that command
/// and these inputs and is trained. Killed at any instant, it can be called again. Throws kIo.
void take_over_run(const RunToTakeOver& other, const std::filesystem::path& folder,
                   const std::string& command, const std::string& inputs);

/// Throws kIo.
void write_record(const std::filesystem::path& folder, const RunRecord& record);

}  // namespace hmtc
