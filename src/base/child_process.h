#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"

namespace hmtc {

struct ChildResult {
  int exit_code = 0;   ///< 128 + the signal that ended it; 127: there is no such program
  double seconds = 0;  ///< from start to end
  double peak_mb = 0;  ///< of resident memory
};

/// Runs a program to its end, with its output appended to `log` and nothing to read. It does not
/// outlive this process. When `stop` gets set it is sent SIGTERM, and waited for. Throws kIo when
/// it cannot be started.
ChildResult run_child(const std::vector<std::string>& command, const std::filesystem::path& log,
                      const std::atomic<bool>* stop = nullptr);

/// What went wrong in a child that is this same program, by its exit code.
ErrorKind kind_of_exit(int exit_code);

/// The program that is running, by a name that starts it even after its file was replaced.
std::filesystem::path this_program();

}  // namespace hmtc
