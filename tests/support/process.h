#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace hmtc {

/// How a process ended. Exactly one of exit code and signal is meaningful.
struct ProcessResult {
  int exit_code = -1;  ///< -1: it was ended by `signal`
  int signal = 0;
  std::string out;
  std::string err;
};

/// A child process whose standard streams are files in memory, so that none of them can block.
class Process {
 public:
  /// Starts argv[0]. `out_path`: where standard output goes instead of to ProcessResult::out.
  explicit Process(const std::vector<std::string>& argv, const std::string& input = {},
                   const std::string& out_path = {});
  ~Process();  ///< kills it when it is still running
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void send(int signal) const;
  /// The file of the program that it is.
  std::string program() const;
  /// What it has written to standard output so far, unless that goes to a file.
  std::string out() const;
  /// And to standard error.
  std::string err() const;
  /// Whether it still runs; collects its status when not.
  bool is_running();
  /// Waits for the end, at most two minutes: then it is killed.
  ProcessResult wait();

 private:
  pid_t pid_ = -1;
  bool ended_ = false;
  int status_ = 0;
  int in_ = -1;
  int out_ = -1;
  int err_ = -1;
};

ProcessResult run_process(const std::vector<std::string>& argv, const std::string& input = {},
                          const std::string& out_path = {});

}  // namespace hmtc
