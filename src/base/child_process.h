#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"

namespace hmtc {

struct ChildResult {
  /// 128 + the signal that ended it; 127: there is no such program; -1: not to be told, where the
  /// process waits for its children elsewhere or ignores SIGCHLD.
  int exit_code = 0;
  double seconds = 0;  ///< from start to end
  double peak_mb = 0;  ///< of resident memory
};

/// What is done while a child runs.
struct ChildWatch {
  std::function<bool()> should_stop;    ///< when it says so, the child is sent SIGTERM; or empty
  std::function<bool()> should_finish;  ///< when it says so, the child is sent SIGUSR1; or empty
  /// Hears of a child that still runs, its exit code unknown; must not throw; or empty.
  std::function<void(const ChildResult& so_far)> on_report;
  std::chrono::milliseconds report_every = std::chrono::minutes(1);
};

/// Runs a program to its end, with its output appended to `log` and nothing to read. It does not
/// outlive the thread that calls. Throws kIo when it cannot be started.
ChildResult run_child(const std::vector<std::string>& command, const std::filesystem::path& log,
                      const ChildWatch& watch = {});

/// The same with what it writes given to `on_line`, line by line and by this thread, and with
/// NAME=VALUE beside what the environment has. What `on_line` throws ends the program.
ChildResult run_child(const std::vector<std::string>& command,
                      const std::vector<std::string>& environment,
                      const std::function<void(const std::string& line)>& on_line,
                      const ChildWatch& watch = {});

/// What went wrong in a child that is this same program, by its exit code.
ErrorKind kind_of_exit(int exit_code);

/// The program that is running, by a name that starts it even after its file was replaced.
std::filesystem::path this_program();

}  // namespace hmtc
